package io.alphaomega.server.epoch;

import io.alphaomega.saga.Restoration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is noted in the store about itself. Each text begins with a number that only grows, with leading zeros: of
 * two texts of one name the first in the order of strings is the older one.
 *
 * @param store which store it is; empty before the first node has opened it
 * @param runs of nodes, by their ids
 * @param forgotten until when marks may have been of runs that are not noted any more
 */
record StoreNotes(Optional<String> store, Map<String, Run> runs, Instant forgotten, Optional<Restoration> restoration) {
    static final String STORE = "store";
    static final String FORGOTTEN = "forgotten";
    static final String RESTORATION = "restoration";
    private static final String RUN = "run-";

    /** No service that was away for longer is asked how far it has seen the store come. */
    private static final Duration KEPT = Duration.ofDays(7);

    /** A node that cannot stay up starts every few seconds. */
    static final int RUNS_MAX = 256;

    /**
     * A node, from its start on.
     *
     * @param number of its last mark
     */
    record Run(long number, Instant openedAt, Instant at) {
        String text() {
            return "%019d %d %d".formatted(number, openedAt.toEpochMilli(), at.toEpochMilli());
        }
    }

    static StoreNotes of(Map<String, String> notes) {
        Map<String, Run> runs = new HashMap<>();
        notes.forEach((name, text) -> {
            String[] words = text.split(" ", -1);
            if (!name.startsWith(RUN) || words.length < 3) return;
            Run run = new Run(Long.parseLong(words[0]), time(words[1]), time(words[2]));
            runs.put(name.substring(RUN.length()), run);
        });
        return new StoreNotes(
                Optional.ofNullable(notes.get(STORE)),
                runs,
                Optional.ofNullable(notes.get(FORGOTTEN)).map(StoreNotes::time).orElse(Instant.EPOCH),
                Optional.ofNullable(notes.get(RESTORATION)).map(StoreNotes::restoration));
    }

    static String name(String run) {
        return RUN + run;
    }

    static String text(Instant time) {
        return "%019d".formatted(time.toEpochMilli());
    }

    static String text(Restoration restoration) {
        return "%s %d %s"
                .formatted(
                        text(restoration.foundAt()),
                        restoration.begunBefore().toEpochMilli(),
                        Base64.getEncoder().encodeToString(restoration.why().getBytes(StandardCharsets.UTF_8)));
    }

    private static Restoration restoration(String text) {
        String[] words = text.split(" ", 3);
        String why = new String(Base64.getDecoder().decode(words[2]), StandardCharsets.UTF_8);
        return new Restoration(time(words[0]), time(words[1]), why);
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    /** Whether what somebody has seen of this store is not in it. What was seen of another one says nothing. */
    boolean lacks(Mark seen) {
        if (store.filter(seen.store()::equals).isEmpty() || !seen.at().isAfter(forgotten)) return false;
        Run run = runs.get(seen.run());
        return run == null || run.number() < seen.number();
    }

    /**
     * What follows from a mark that the store lacks. Whatever began before the first node was started that came after the
     * mark is of the time before the store was set back; if none was, because it was set back beneath this node, whatever
     * has begun by now.
     *
     * @param by who has seen it, for people
     */
    Restoration restoration(Mark seen, String by, Optional<Restoration> known, Instant now) {
        Instant begunBefore = runs.values().stream()
                .map(Run::openedAt)
                .filter(opened -> opened.isAfter(seen.at()))
                .min(Comparator.naturalOrder())
                .orElse(now);
        Restoration before =
                known.filter(one -> seen.at().isBefore(one.foundAt())).orElse(null);
        if (before != null && !begunBefore.isAfter(before.begunBefore())) return before;
        Instant foundAt = before == null ? now : before.foundAt();
        return new Restoration(foundAt, begunBefore, before == null ? why(seen, by) : before.why());
    }

    private String why(Mark seen, String by) {
        Optional<Instant> last = runs.values().stream()
                .map(Run::at)
                .filter(at -> at.isBefore(seen.at()))
                .max(Comparator.naturalOrder());
        return last.map(at ->
                        "The store was set back to an earlier time: it lacks what was stored after %s, until %s at least, as %s has seen."
                                .formatted(seconds(at), seconds(seen.at()), by))
                .orElseGet(() ->
                        "The store was set back to an earlier time: it lacks what was stored until %s, as %s has seen."
                                .formatted(seconds(seen.at()), by));
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    /** The runs that need not be noted any more, the newest last; never {@code own}. */
    List<Map.Entry<String, Run>> outdated(@Nullable String own, Instant now) {
        List<Map.Entry<String, Run>> oldestFirst = runs.entrySet().stream()
                .filter(run -> !run.getKey().equals(own))
                .sorted(Comparator.comparing(run -> run.getValue().at()))
                .toList();
        long tooMany = Math.max(0, oldestFirst.size() - RUNS_MAX);
        long tooOld = oldestFirst.stream()
                .filter(run -> run.getValue().at().isBefore(now.minus(KEPT)))
                .count();
        return oldestFirst.subList(0, (int) Math.max(tooMany, tooOld));
    }
}
