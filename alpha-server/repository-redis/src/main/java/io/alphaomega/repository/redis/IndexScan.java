package io.alphaomega.repository.redis;

import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.redis.ScriptCalls.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the same index in many buckets, read a few at a time and merged into one order. What is read is a
 * snapshot of each index at its own moment, which is all that a scan with a cursor can promise.
 */
final class IndexScan {
    /** A call holds up everybody else: so many entries take the server a few milliseconds. */
    private static final int ENTRIES_PER_CALL_MAX = 2_000;

    private static final int INDEXES_PER_CALL_MAX = 256;

    /** The more are wanted, the more are read at a time; but not more than anybody may need. */
    private static final int ENTRIES_PER_INDEX_MAX = 256;

    /** For scans that take no notice of the marks of services. */
    static final byte[] ANY = {};

    /** One saga in an index; header and summary only if they were asked for. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares entries.
    record Entry(ScanPosition place, byte[] member, List<byte[]> details) {}

    /** Which members of one index are read, from one end of a range to the other. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares ranges.
    record Range(Prefix prefix, byte[] from, byte[] to) {}

    /** In which order, and what of each saga. */
    enum Reading {
        /** Earliest wake-up time first, after a look at what the saga itself says. */
        DUE(LuaScript.DUE, 0),
        OLDEST_FIRST(LuaScript.SCAN, 0),
        NEWEST_FIRST_WITH_SUMMARIES(LuaScript.SCAN, 2);

        private final LuaScript script;
        private final int details;

        Reading(LuaScript script, int details) {
            this.script = script;
            this.details = details;
        }

        private Comparator<ScanPosition> order() {
            return this == NEWEST_FIRST_WITH_SUMMARIES
                    ? ScanPosition.EARLIEST_FIRST.reversed()
                    : ScanPosition.EARLIEST_FIRST;
        }

        private CommandArguments arguments(int limit, byte[] mark) {
            CommandArguments arguments = new CommandArguments(64).add(limit);
            return switch (this) {
                case DUE -> arguments;
                case OLDEST_FIRST -> arguments.add("ZRANGEBYLEX").add(mark);
                case NEWEST_FIRST_WITH_SUMMARIES ->
                    arguments.add("ZREVRANGEBYLEX").add(mark);
            };
        }

        private void add(Source source, CommandArguments to) {
            Prefix prefix = source.range.prefix();
            to.add(source.from).add(source.range.to());
            switch (this) {
                case DUE -> {}
                case OLDEST_FIRST -> to.add(0).add(prefix.after());
                case NEWEST_FIRST_WITH_SUMMARIES -> to.add(prefix.idAt() + 1).add(prefix.after());
            }
        }
    }

    /** A range in the index of one bucket. */
    private static final class Source {
        final Bucket bucket;
        final Range range;
        final Deque<Entry> entries = new ArrayDeque<>();
        byte[] from;

        /** The last member that was looked at; null before the first. */
        @Nullable
        ScanPosition looked;

        boolean more = true;

        Source(Bucket bucket, Range range) {
            this.bucket = bucket;
            this.range = range;
            this.from = range.from();
        }

        /** Whatever is still to come of it is at this place or after it; null if nothing is known. */
        @Nullable
        ScanPosition bound() {
            return entries.isEmpty() ? looked : entries.element().place();
        }
    }

    private Operation operation;
    private final Reading reading;
    private final byte[] mark;

    /** Those that have an entry or may have more, by their bounds. */
    private final PriorityQueue<Source> heads;

    private int entriesPerIndex;

    /**
     * @param buckets where to look
     * @param ranges in each bucket
     * @param mark of the service that is looked for
     * @param wanted how many entries will be taken, about
     */
    IndexScan(Operation operation, Reading reading, List<Bucket> buckets, List<Range> ranges, byte[] mark, int wanted) {
        this.operation = operation;
        this.reading = reading;
        this.mark = mark;
        heads = new PriorityQueue<>(Comparator.comparing(Source::bound, Comparator.nullsFirst(reading.order())));
        for (Bucket bucket : buckets) {
            for (Range range : ranges) heads.add(new Source(bucket, range));
        }
        entriesPerIndex = 2 + 2 * Math.min(wanted, ENTRIES_PER_CALL_MAX) / heads.size();
    }

    /** Goes on as a part of that. */
    IndexScan in(Operation next) {
        operation = next;
        return this;
    }

    /** The next entry; null at the end. */
    @Nullable
    Entry next() {
        return next(() -> {});
    }

    /**
     * The next entry; null at the end.
     *
     * @param beforeReading is run each time before the servers are asked for more, and may end the scan by an exception
     */
    @Nullable
    Entry next(Runnable beforeReading) {
        for (Source first = heads.poll(); first != null; first = heads.poll()) {
            if (first.entries.isEmpty()) {
                heads.add(first);
                beforeReading.run();
                fill();
                continue;
            }
            Entry entry = first.entries.remove();
            sort(first);
            return entry;
        }
        return null;
    }

    private void sort(Source source) {
        if (!source.entries.isEmpty() || source.more) heads.add(source);
    }

    /**
     * Reads on where nothing is left, and where little is. So all get as far as the one that holds up the others; where one
     * member in many is an entry, none is read further than to the last entry that is wanted.
     */
    private void fill() {
        int little = entriesPerIndex / 4;
        List<Source> low = heads.stream()
                .filter(source -> source.more && source.entries.size() <= little)
                .toList();
        heads.removeIf(source -> source.more && source.entries.size() <= little);
        int each = Math.max(
                1, Math.min(entriesPerIndex, ENTRIES_PER_CALL_MAX / Math.min(low.size(), INDEXES_PER_CALL_MAX)));
        read(low, each);
        low.forEach(this::sort);
        entriesPerIndex = Math.min(ENTRIES_PER_INDEX_MAX, 2 * entriesPerIndex);
    }

    private void read(List<Source> from, int each) {
        List<List<Source>> groups = Grouping.of(
                from, source -> operation.isCluster() ? source.bucket : Bucket.ALL.getFirst(), INDEXES_PER_CALL_MAX);
        List<Call> calls = groups.stream().map(group -> call(group, each)).toList();
        List<List<Object>> answers = ScriptCalls.reading(operation, reading.script, calls);
        for (int i = 0; i < groups.size(); i++) {
            for (int k = 0; k < groups.get(i).size(); k++) {
                take(groups.get(i).get(k), (List<?>) answers.get(i).get(k));
            }
        }
    }

    private Call call(List<Source> group, int each) {
        CommandArguments keys = new CommandArguments(64 * group.size());
        CommandArguments arguments = reading.arguments(each, mark);
        for (Source source : group) {
            keys.add(source.bucket.index());
            reading.add(source, arguments);
        }
        return new Call(group.getFirst().bucket, keys, arguments);
    }

    private void take(Source source, List<?> page) {
        int width = 1 + reading.details;
        Prefix prefix = source.range.prefix();
        byte[] looked = (byte[]) page.get(page.size() - 2);
        if (looked.length > 0) {
            source.from = prefix.beyond(looked);
            source.looked = prefix.place(looked);
        }
        for (int i = 0; i + width < page.size() - 1; i += width) {
            byte[] member = (byte[]) page.get(i);
            List<byte[]> details = new ArrayList<>(reading.details);
            for (int k = 1; k <= reading.details; k++) details.add((byte[]) page.get(i + k));
            source.entries.add(new Entry(prefix.place(member), member, details));
        }
        source.more = page.getLast().equals(1L);
    }
}
