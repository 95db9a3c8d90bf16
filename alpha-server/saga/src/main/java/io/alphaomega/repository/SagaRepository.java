package io.alphaomega.repository;

import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where sagas live. A plugin implements this one interface and passes {@code SagaRepositoryContract}; nothing else about
 * it is visible to the server.
 *
 * <p>Methods block and may be called from many (virtual) threads. Constructing a repository does no I/O. An exception
 * from {@link #append} means that the outcome is unknown: the caller loads the saga again and decides anew; nobody,
 * the plugin included, repeats an append blindly. Every method fails within a bounded time when the store is away, or
 * the repository closed, with a {@link RepositoryUnavailableException}; with an {@link IllegalStateException} while the
 * store is one that this server must not use, and a sentence that says why; with an {@link IllegalArgumentException} for
 * a limit out of range or a cursor that it did not issue.
 */
public interface SagaRepository extends AutoCloseable {

    /**
     * Appends to many sagas in a constant number of round trips. Each item is atomic and independent of the others: all
     * its events and its summary become visible together, or none do. An item whose {@code expected} is not the saga's
     * version is an {@link AppendResult.Conflict} and changes nothing; so is every item for a saga that was purged and
     * not yet forgotten, whatever it expects. Items of one saga in one batch apply in order.
     *
     * <p>A store that locks sagas while it writes waits for others as long as a healthy writer needs. Who is kept waiting
     * for longer is told {@link AppendResult.Locked}, and the other items of the batch go on; that is no exception,
     * because the outcome is known. A store without such locks never says it.
     *
     * @return one result per item, in order
     */
    List<AppendResult> append(List<Append> batch);

    /** The same without a thread that waits, if the store can do that. */
    default Optional<AsyncAppends> asyncAppends() {
        return Optional.empty();
    }

    /**
     * Every event of the saga in order, or none, and its version; or its tombstone. Sees every append and purge that has
     * returned.
     *
     * @throws io.alphaomega.saga.CorruptJournalException if what is stored of this saga does not fit together; other
     *     sagas are not concerned
     */
    Loaded load(SagaId id);

    /**
     * Sagas whose wake-up time is not after {@code until}, earliest first. In one pass from {@link Cursor#START} to the
     * last page each saga that is due throughout appears once. Entries may be early, never late beyond {@link
     * #visibilityLag()}.
     *
     * @param limit 1 to {@value #PAGE_MAX}
     */
    Page<SagaId> due(Instant until, Cursor cursor, int limit);

    /**
     * Summaries that match, newest begin first; ties by id, descending. Stable under inserts: a saga is on one page only.
     *
     * @param limit 1 to {@value #PAGE_MAX}
     */
    Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit);

    /**
     * Summaries of sagas that an operator has given an order to at or after {@code since}, the last order first; ties by
     * id, descending. A saga is on one page only, if it is given none meanwhile: it then stands where its new order does.
     *
     * @param limit 1 to {@value #PAGE_MAX}
     */
    Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit);

    /** How many sagas are in each state. */
    default SagaCounts counts() {
        return counts(Set.of(SagaSummary.State.values()));
    }

    /**
     * How many sagas are in each of these states; 0 for the others. Counting open ones takes no longer for those that have
     * ended, however many.
     */
    SagaCounts counts(Set<SagaSummary.State> states);

    /**
     * Deletes up to {@code limit} sagas that ended before {@code endedBefore}, oldest first, give or take a minute, never
     * an unfinished or suspended one. What stays of each is a tombstone, until it is forgotten: a late event finds out how
     * the saga ended and does not begin it anew.
     *
     * @param limit 1 or more
     * @return how many were deleted; fewer than {@code limit} means that none are left
     */
    int purge(Instant endedBefore, int limit);

    /**
     * Deletes up to {@code limit} tombstones of sagas that ended before {@code endedBefore}, oldest first. From then on
     * such a saga was never there.
     *
     * @param limit 1 or more
     * @return how many were deleted; fewer than {@code limit} means that none are left
     */
    int forget(Instant endedBefore, int limit);

    /**
     * What the nodes have noted in the store about the store itself, by name. Whoever sets the store back to an earlier
     * time sets its notes back with it, whatever part of it that is: a store of several parts has each note in all of
     * them, returns it only if all have it, and of different texts the one that is first in the order of strings. Sees
     * every {@link #note} that has returned.
     */
    Map<String, String> notes();

    /**
     * Keeps a note, in place of the one of that name; an empty text removes it. It survives what an append survives.
     *
     * @param name {@link #NOTE_NAME}
     * @param text {@value #NOTE_CHARS} characters of ASCII at most
     */
    void note(String name, String text);

    /** How long an append may stay invisible to {@link #due}, {@link #find}, {@link #ordered} and {@link #counts}. */
    default Duration visibilityLag() {
        return Duration.ZERO;
    }

    /** What a returned append survives, with the store's own settings read now. */
    Durability durability();

    /** Whether operations are likely to succeed now. Cheap, does not throw. */
    Health check();

    @Override
    void close();

    /** The most items of one page. */
    int PAGE_MAX = 1_000;

    /** The longest text of a note. */
    int NOTE_CHARS = 1_000;

    /** The names of notes. */
    Pattern NOTE_NAME = Pattern.compile("[a-z0-9-]{1,64}");

    /**
     * What every store refuses.
     *
     * @throws IllegalArgumentException for a name or a text that no note can have
     */
    static void requireNote(String name, String text) {
        if (!NOTE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a note's name must match %s but was %s".formatted(NOTE_NAME, name));
        }
        if (text.length() > NOTE_CHARS) {
            throw new IllegalArgumentException(
                    "a note has at most %d characters but was given %d".formatted(NOTE_CHARS, text.length()));
        }
        if (!text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException("a note has printable characters of ASCII only: " + name);
        }
    }
}
