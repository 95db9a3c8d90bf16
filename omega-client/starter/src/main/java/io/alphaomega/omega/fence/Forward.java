package io.alphaomega.omega.fence;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the fence says about a forward call. */
public final class Forward {
    static final Forward RUN = new Forward(Verdict.RUN, null);
    static final Forward REFUSED = new Forward(Verdict.REFUSED, null);

    private final Verdict verdict;
    private final byte @Nullable [] result;

    private Forward(Verdict verdict, byte @Nullable [] result) {
        this.verdict = verdict;
        this.result = result;
    }

    static Forward duplicate(byte @Nullable [] result) {
        return new Forward(Verdict.DUPLICATE, result);
    }

    public Verdict verdict() {
        return verdict;
    }

    /** What the earlier call stored, if this is a {@link Verdict#DUPLICATE} and it stored something. */
    public Optional<byte[]> result() {
        return result == null ? Optional.empty() : Optional.of(result.clone());
    }

    /** The answers. */
    public enum Verdict {
        /** Run the business. */
        RUN,
        /** It ran before and was committed: return its result, do not run it again. */
        DUPLICATE,
        /** A compensation has come: the branch is over, do not run the business. */
        REFUSED
    }
}
