package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Forward;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a saga in the order in which they began. Immutable.
 *
 * <p>What is asked of them for every event is derived once for each change, from the branch that changed: which of them
 * move, whose callback is next, where the branch of an id is. And a change copies little. So an event of a saga of 500
 * branches costs no more than one of a saga of 3.
 */
public final class Branches extends AbstractList<Branch> implements RandomAccess {
    /** About the square root of the most branches a saga can have: so neither a chunk nor their array gets long. */
    private static final int CHUNK = 32;

    private static final int BUCKETS = 8;

    /** No branch yet; compensations are what would be asked if the saga were aborted now. */
    static final Branches NONE =
            new Branches(CallbackKind.COMPENSATION, 0, new Branch[0][], new long[BUCKETS][0], new int[0], null);

    /** Whose turn comes first, and who comes after. */
    private record Line(Branch first, @Nullable Line rest) {}

    private final CallbackKind kind;
    private final int size;
    private final Branch[][] chunks;
    /** By the lowest bits of the id's hash: the hash in the upper half, the position in the lower. */
    private final long[][] buckets;

    private final int[] positionsOfMoving;
    private final Branch[] moving;
    private final @Nullable Line line;

    private Branches(
            CallbackKind kind,
            int size,
            Branch[][] chunks,
            long[][] buckets,
            int[] positionsOfMoving,
            @Nullable Line line) {
        this.kind = kind;
        this.size = size;
        this.chunks = chunks;
        this.buckets = buckets;
        this.positionsOfMoving = positionsOfMoving;
        this.line = line;
        moving = new Branch[positionsOfMoving.length];
        for (int i = 0; i < moving.length; i++) moving[i] = get(positionsOfMoving[i]);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Branch get(int position) {
        return chunks[position / CHUNK][position % CHUNK];
    }

    /** Those not at rest, in the order in which they began; not to be written to. Time moves no others. */
    Branch[] moving() {
        return moving;
    }

    /**
     * The one that ended and whose callback is asked next, or null: compensations last-finished-first, confirmations
     * first-finished-first.
     */
    @Nullable
    Branch firstInLine() {
        return line == null ? null : line.first;
    }

    /** -1 if there is none. */
    int position(BranchId id) {
        int hash = id.value().hashCode();
        for (long place : buckets[hash & (BUCKETS - 1)]) {
            if ((int) (place >>> Integer.SIZE) == hash && get((int) place).id().equals(id)) return (int) place;
        }
        return -1;
    }

    // ---- changes

    Branches with(Branch begun) {
        boolean full = size % CHUNK == 0;
        Branch[][] grown = Arrays.copyOf(chunks, full ? chunks.length + 1 : chunks.length);
        Branch[] last = full ? new Branch[1] : Arrays.copyOf(grown[size / CHUNK], size % CHUNK + 1);
        last[size % CHUNK] = begun;
        grown[size / CHUNK] = last;

        int hash = begun.id().value().hashCode();
        int number = hash & (BUCKETS - 1);
        long[][] more = buckets.clone();
        long[] bucket = Arrays.copyOf(more[number], more[number].length + 1);
        bucket[bucket.length - 1] = ((long) hash << Integer.SIZE) | size;
        more[number] = bucket;

        int[] positions = begun.isAtRest() ? positionsOfMoving : with(positionsOfMoving, size);
        return new Branches(kind, size + 1, grown, more, positions, waits(begun, kind) ? with(line, begun) : line);
    }

    Branches changing(int position, UnaryOperator<Branch> change) {
        Branch before = get(position);
        Branch after = change.apply(before);
        Branch[][] changed = chunks.clone();
        Branch[] chunk = changed[position / CHUNK].clone();
        chunk[position % CHUNK] = after;
        changed[position / CHUNK] = chunk;

        int[] positions = positionsOfMoving;
        if (before.isAtRest() && !after.isAtRest()) positions = with(positions, position);
        if (!before.isAtRest() && after.isAtRest()) positions = without(positions, position);
        Line left = waits(before, kind) ? without(line, before) : line;
        return new Branches(kind, size, changed, buckets, positions, waits(after, kind) ? with(left, after) : left);
    }

    /** For a change of which most branches take no notice. */
    Branches changingEach(UnaryOperator<Branch> change) {
        Branches changed = this;
        for (int position = 0; position < size; position++) {
            if (!change.apply(get(position)).equals(get(position))) changed = changed.changing(position, change);
        }
        return changed;
    }

    /** The same ones, now that it is decided that they are confirmed, not compensated. */
    Branches toConfirm() {
        List<Branch> lastFirst = stream()
                .filter(branch -> waits(branch, CallbackKind.CONFIRMATION))
                .sorted(Comparator.comparingLong(Branches::order).reversed())
                .toList();
        Line confirmed = null;
        for (Branch branch : lastFirst) confirmed = new Line(branch, confirmed);
        return new Branches(CallbackKind.CONFIRMATION, size, chunks, buckets, positionsOfMoving, confirmed);
    }

    // ---- those that move

    private static int[] with(int[] sorted, int position) {
        int at = -1 - Arrays.binarySearch(sorted, position);
        int[] more = Arrays.copyOf(sorted, sorted.length + 1);
        System.arraycopy(sorted, at, more, at + 1, sorted.length - at);
        more[at] = position;
        return more;
    }

    private static int[] without(int[] sorted, int position) {
        int at = Arrays.binarySearch(sorted, position);
        int[] fewer = Arrays.copyOf(sorted, sorted.length - 1);
        System.arraycopy(sorted, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }

    // ---- those in line

    private static boolean waits(Branch branch, CallbackKind kind) {
        return branch.forward() instanceof Forward.Ended
                && branch.progress() instanceof Branch.Progress.Idle
                && branch.offer(kind).isPresent();
    }

    /** Who ended last is the first to be compensated, so it hardly ever has to look for its place. */
    private Line with(@Nullable Line line, Branch branch) {
        return line == null || isBefore(branch, line.first)
                ? new Line(branch, line)
                : new Line(line.first, with(line.rest, branch));
    }

    private static @Nullable Line without(@Nullable Line line, Branch branch) {
        if (line == null) return null;
        return line.first.id().equals(branch.id()) ? line.rest : new Line(line.first, without(line.rest, branch));
    }

    private boolean isBefore(Branch one, Branch other) {
        return switch (kind) {
            case COMPENSATION -> order(one) > order(other);
            case CONFIRMATION -> order(one) < order(other);
        };
    }

    private static long order(Branch ended) {
        return ((Forward.Ended) ended.forward()).order();
    }
}
