package io.alphaomega.repository.redis;

import io.alphaomega.repository.redis.Exchange.Call;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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

    /** One saga in an index; header and summary only if the script returns them. */
    record Entry(Place place, List<byte[]> details) {}

    /** What the script is, and what it wants to know before the places. */
    record Reading(Script script, Function<Integer, List<byte[]>> arguments, int details) {}

    /** One index in one bucket. */
    private static final class Source {
        final Bucket bucket;
        final byte[] index;
        final Deque<Entry> entries = new ArrayDeque<>();

        /** As the script wants it: an empty score for the beginning. */
        String score;

        String id;
        boolean more = true;

        Source(Bucket bucket, String index, String score, String id) {
            this.bucket = bucket;
            this.index = bucket.index(index);
            this.score = score;
            this.id = id;
        }
    }

    private final Servers servers;
    private final Reading reading;
    private final Comparator<Place> order;
    private final List<Source> sources = new ArrayList<>();
    private int entriesPerIndex;

    /**
     * @param indexes names, in each bucket
     * @param after from where to go on; empty from the beginning
     * @param wanted how many entries will be taken, about
     */
    IndexScan(
            Servers servers,
            Reading reading,
            Comparator<Place> order,
            List<String> indexes,
            Optional<Place> after,
            int wanted) {
        this.servers = servers;
        this.reading = reading;
        this.order = order;
        String score = after.map(place -> Long.toString(place.millis())).orElse("");
        String id = after.map(Place::id).orElse("");
        for (Bucket bucket : Bucket.ALL) {
            for (String index : indexes) sources.add(new Source(bucket, index, score, id));
        }
        entriesPerIndex = 2 + 2 * wanted / sources.size();
    }

    /** The next entry; null at the end. */
    @Nullable
    Entry next() {
        if (sources.stream().anyMatch(IndexScan::isEmpty)) fill();
        Source first = null;
        for (Source source : sources) {
            Entry entry = source.entries.peek();
            if (entry != null && (first == null || isBefore(entry, first))) first = source;
        }
        return first == null ? null : first.entries.remove();
    }

    private boolean isBefore(Entry entry, Source that) {
        return order.compare(entry.place(), that.entries.element().place()) < 0;
    }

    private static boolean isEmpty(Source source) {
        return source.entries.isEmpty() && source.more;
    }

    /** Reads on wherever little is left, until there is something everywhere or nothing more. */
    private void fill() {
        while (sources.stream().anyMatch(IndexScan::isEmpty)) {
            int little = entriesPerIndex / 4;
            List<Source> low = sources.stream()
                    .filter(source -> source.more && source.entries.size() <= little)
                    .toList();
            int each = Math.max(
                    1, Math.min(entriesPerIndex, ENTRIES_PER_CALL_MAX / Math.min(low.size(), INDEXES_PER_CALL_MAX)));
            read(low, each);
            entriesPerIndex = Math.min(ENTRIES_PER_INDEX_MAX, 2 * entriesPerIndex);
        }
    }

    private void read(List<Source> from, int each) {
        List<List<Source>> groups = Grouping.of(
                from, source -> servers.isCluster() ? source.bucket : Bucket.ALL.getFirst(), INDEXES_PER_CALL_MAX);
        List<Call> calls = groups.stream().map(group -> call(group, each)).toList();
        List<List<Object>> answers = Exchange.reading(servers, reading.script(), calls);
        for (int i = 0; i < groups.size(); i++) {
            for (int k = 0; k < groups.get(i).size(); k++) {
                take(groups.get(i).get(k), (List<?>) answers.get(i).get(k));
            }
        }
    }

    private Call call(List<Source> group, int each) {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>(reading.arguments().apply(each));
        for (Source source : group) {
            keys.add(source.index);
            arguments.add(source.score.getBytes(StandardCharsets.US_ASCII));
            arguments.add(source.id.getBytes(StandardCharsets.US_ASCII));
        }
        return new Call(group.getFirst().bucket, keys, arguments);
    }

    private void take(Source source, List<?> page) {
        int width = 2 + reading.details();
        for (int i = 0; i + width < page.size(); i += width) {
            source.id = SagaRecord.ascii((byte[]) page.get(i));
            source.score = SagaRecord.ascii((byte[]) page.get(i + 1));
            List<byte[]> details = new ArrayList<>(reading.details());
            for (int k = 0; k < reading.details(); k++) details.add((byte[]) page.get(i + 2 + k));
            source.entries.add(new Entry(new Place(millis(source.score), source.id), details));
        }
        source.more = page.getLast().equals(1L);
    }

    /** Redis prints whole numbers as such up to 10^17 or so, which no time reaches. */
    private static long millis(String score) {
        return (long) Double.parseDouble(score);
    }
}
