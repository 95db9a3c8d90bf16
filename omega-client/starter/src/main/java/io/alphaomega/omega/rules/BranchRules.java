package io.alphaomega.omega.rules;

import io.alphaomega.omega.rules.BranchEffect.Act;
import io.alphaomega.omega.rules.BranchEffect.Cause;
import io.alphaomega.omega.rules.BranchState.Local;
import io.alphaomega.omega.rules.BranchState.Phase;
import java.util.List;

/**
 * The life of a branch in the service that runs it, as a pure function: no clock, no I/O, no threads. Alpha is asked; the
 * business is tried, perhaps several times, behind its fence; its local transaction ends, perhaps after the method has; alpha
 * is told.
 *
 * <p>Two things must never happen. What has left something behind must not be reported as clean, for nobody would undo it.
 * What is reported as failed must not run any more: so a try that nobody wants is kept from its business, and the fence keeps
 * out what runs elsewhere.
 */
public final class BranchRules {
    private BranchRules() {}

    /**
     * The state after the input, and what is to be made happen.
     *
     * @param now as {@link System#nanoTime} counts
     */
    public static BranchStep decide(BranchState state, BranchInput input, long now) {
        return switch (state.phase()) {
            case NEW -> called(state, input);
            case LEARNING -> learning(state, input);
            case ASKING -> asking(state, input);
            case ASKED -> asked(state, input);
            case CANCELLED_WHILE_ASKING -> cancelledWhileAsking(state, input);
            case WITHDRAWING -> withdrawing(state, input);
            case LOOKING -> looking(state, input);
            case PAUSING, RUNNING -> running(state, input, now);
            case OPEN -> open(state, input);
            case OVER -> over(state, input);
        };
    }

    /**
     * As {@link #decide}, of what a try says whose business runs. It may have outlived its method.
     *
     * @param attempt its number, from 1 on
     */
    public static BranchStep decideOf(int attempt, BranchState state, BranchInput input, long now) {
        if (attempt == state.tries()) return decide(state, input, now);
        boolean begins = input == BranchInput.REACHED || input == BranchInput.REACHED_IN_TRANSACTION;
        return begins ? step(state, Act.STOP) : stay(state);
    }

    // ---- before it begins

    private static BranchStep called(BranchState state, BranchInput input) {
        return switch (input) {
            case CALLED -> step(state.in(Phase.LEARNING), Act.LEARN_FENCE);
            case CALLED_IN_TRANSACTION -> {
                // That its business begins must be committed before it does.
                if (state.terms().compensateOnException()) {
                    yield step(state.in(Phase.OVER), Act.REFUSE_NOTE_IN_TRANSACTION);
                }
                // A failed try would spoil the transaction.
                if (state.terms().retries() > 0) {
                    yield step(state.in(Phase.OVER), Act.REFUSE_RETRIES_IN_TRANSACTION);
                }
                yield step(state.calledInTransaction().in(Phase.LEARNING), Act.LEARN_FENCE);
            }
            default -> throw unexpected(state, input);
        };
    }

    private static BranchStep learning(BranchState state, BranchInput input) {
        return switch (input) {
            case FENCED -> ask(state.behindFence(true));
            case FENCED_WITHOUT_RESULTS -> ask(state.behindFence(false));
            case UNFENCED -> ask(state);
            case THREW, THREW_FOR_GOOD -> notBegun(state, Act.TELL_THROWN);
            case CANCELLED -> notBegun(state, Act.TELL_CANCELLED);
            default -> throw unexpected(state, input);
        };
    }

    private static BranchStep ask(BranchState state) {
        boolean endTravels = endTravels(state);
        return step(state.in(Phase.ASKING), new BranchEffect.Ask(endTravels));
    }

    private static boolean endTravels(BranchState state) {
        return state.fenced() && state.terms().endMayTravel();
    }

    private static BranchStep asking(BranchState state, BranchInput input) {
        return switch (input) {
            case ASKED -> stay(state.in(Phase.ASKED));
            case CANCELLED -> stay(state.in(Phase.CANCELLED_WHILE_ASKING));
            default -> asked(state, input);
        };
    }

    private static BranchStep asked(BranchState state, BranchInput input) {
        return switch (input) {
            case ASKED -> stay(state); // Its answer was quicker than the one that asked.
            case LET_IN -> step(state.in(Phase.PAUSING), new BranchEffect.TryAfter(0));
            case REFUSED, CROWDED -> notBegun(state, Act.TELL_THROWN);
            case COMMITTED_BEFORE ->
                state.findsResult()
                        ? step(state.in(Phase.LOOKING), Act.LOOK_UP_RESULT)
                        : notBegun(state, Act.TELL_THROWN);
            case UNAVAILABLE -> unanswered(state);
            case CANCELLED -> step(state.in(Phase.WITHDRAWING), Act.WITHDRAW_QUESTION);
            default -> throw unexpected(state, input);
        };
    }

    /**
     * Perhaps alpha has stored it all the same: it need not wait for a business that will not run. Only what comes again has
     * not failed. If it never does, its time runs out, and behind a fence its compensation finds nothing to undo.
     */
    private static BranchStep unanswered(BranchState state) {
        if (state.terms().comesAgain() && state.fenced()) return notBegun(state, Act.TELL_THROWN);
        BranchState failing = state.failing(Cause.UNANSWERED, false).in(Phase.OVER);
        return new BranchStep(
                failing,
                List.of(failure(failing, true), observe(BranchOutcome.NOT_BEGUN, Act.TELL_THROWN), Act.TELL_THROWN));
    }

    private static BranchStep cancelledWhileAsking(BranchState state, BranchInput input) {
        return switch (input) {
            case ASKED -> step(state.in(Phase.WITHDRAWING), Act.WITHDRAW_QUESTION);
            case CANCELLED -> stay(state);
            default -> withdrawing(state, input);
        };
    }

    private static BranchStep withdrawing(BranchState state, BranchInput input) {
        return switch (input) {
            case ASKED, CANCELLED -> stay(state);
            case LET_IN, UNAVAILABLE, WITHDRAWN -> {
                BranchState failing = state.failing(Cause.WITHDRAWN, false).in(Phase.OVER);
                yield new BranchStep(
                        failing,
                        List.of(
                                failure(failing, true),
                                observe(BranchOutcome.NOT_BEGUN, Act.TELL_CANCELLED),
                                Act.TELL_CANCELLED));
            }
            case REFUSED, COMMITTED_BEFORE, CROWDED -> notBegun(state, Act.TELL_CANCELLED);
            default -> throw unexpected(state, input);
        };
    }

    private static BranchStep looking(BranchState state, BranchInput input) {
        return switch (input) {
            case FOUND -> notBegun(state, Act.TELL_EARLIER_VALUE);
            case NOT_FOUND, THREW, THREW_FOR_GOOD -> notBegun(state, Act.TELL_THROWN);
            case CANCELLED -> stay(state); // It is done, and the saga is committed.
            default -> throw unexpected(state, input);
        };
    }

    private static BranchStep notBegun(BranchState state, Act told) {
        return new BranchStep(state.in(Phase.OVER), List.of(observe(BranchOutcome.NOT_BEGUN, told), told));
    }

    // ---- while it is tried

    private static BranchStep running(BranchState state, BranchInput input, long now) {
        return switch (input) {
            case NEXT_TRY -> {
                boolean clean = state.clean() && (state.fenced() || state.leftNothing());
                boolean noted = state.fenced() && state.terms().compensateOnException();
                yield step(state.nextTry(clean), noted ? Act.NOTE_BEGIN : Act.RUN);
            }
            case NOTED -> step(state, Act.RUN);
            // A try that has thrown is followed by the next one.
            case REACHED, REACHED_IN_TRANSACTION ->
                state.phase() == Phase.PAUSING ? step(state, Act.STOP) : stay(local(state, input));
            case DONE, COMMITTED, ROLLED_BACK, ENDED_UNKNOWN -> stay(local(state, input));
            case RETURNED -> returned(state);
            case THREW -> mayTryAgain(state, now) ? tryAgain(state) : threw(state, Cause.THROWN);
            case THREW_FOR_GOOD, PAUSE_BROKEN -> threw(state, Cause.THROWN);
            case CANCELLED -> threw(state, Cause.CANCELLED);
            case ASKED -> stay(state);
            default -> throw unexpected(state, input);
        };
    }

    /** What the local work says of itself. */
    private static BranchState local(BranchState state, BranchInput input) {
        return switch (input) {
            case REACHED -> state.with(Local.NO_TRANSACTION);
            case REACHED_IN_TRANSACTION -> state.with(Local.OPEN);
            case DONE -> state.local() == Local.NO_TRANSACTION ? state.with(Local.DONE) : state;
            case COMMITTED -> state.with(Local.COMMITTED);
            case ROLLED_BACK -> state.with(Local.ROLLED_BACK);
            case ENDED_UNKNOWN -> state.with(Local.UNKNOWN);
            default -> throw unexpected(state, input);
        };
    }

    private static boolean mayTryAgain(BranchState state, long now) {
        BranchTerms terms = state.terms();
        return state.tries() <= terms.retries()
                && state.mayBeTriedAgain()
                && terms.hasTimeFor(terms.retryDelayNanos(), now);
    }

    private static BranchStep tryAgain(BranchState state) {
        return step(
                state.in(Phase.PAUSING), new BranchEffect.TryAfter(state.terms().retryDelayNanos()));
    }

    private static BranchStep returned(BranchState state) {
        if (state.local() == Local.NOT_REACHED) return step(state, Act.REFUSE_ANSWER);
        BranchEffect seen = observe(state.outcome(true), Act.TELL_VALUE);
        BranchState done = state.claimed(false);
        if (!done.hasEnded()) return new BranchStep(done.in(Phase.OPEN), List.of(seen, Act.TELL_VALUE));
        BranchState ended = ended(done, true);
        return new BranchStep(ended, List.of(seen, report(ended), Act.TELL_VALUE));
    }

    /** It has ended otherwise than by returning: {@code cause} says how. */
    private static BranchStep threw(BranchState state, Cause cause) {
        Act told = cause == Cause.CANCELLED ? Act.TELL_CANCELLED : Act.TELL_THROWN;
        BranchEffect seen = observe(state.outcome(false), told);
        BranchState failing = state.failing(cause, false);
        if (!failing.hasEnded()) return new BranchStep(failing.in(Phase.OPEN), List.of(seen, told));
        BranchState ended = ended(failing, true);
        return new BranchStep(ended, List.of(seen, report(ended), told));
    }

    // ---- when its method has ended

    private static BranchStep open(BranchState state, BranchInput input) {
        return switch (input) {
            case COMMITTED, ROLLED_BACK, ENDED_UNKNOWN -> {
                BranchState ended = ended(local(state, input), false);
                yield step(ended, report(ended));
            }
            default -> over(state, input);
        };
    }

    /** @param awaited whether its method has not returned yet: nobody waits for alpha while a connection is held */
    private static BranchState ended(BranchState state, boolean awaited) {
        Cause cause = state.cause();
        if (cause == Cause.NONE && state.local() == Local.ROLLED_BACK) cause = Cause.ROLLED_BACK;
        if (cause == Cause.NONE && state.local() == Local.UNKNOWN) cause = Cause.UNKNOWN;
        BranchState over = state.failing(cause, awaited).in(Phase.OVER);
        // To be barred takes a connection, and where the caller holds one a second may never come before it lets go.
        boolean late = state.inTransaction() && cause != Cause.NONE && mayBeClean(over) && state.fenced();
        return late ? over.failing(cause, false) : over;
    }

    private static BranchEffect report(BranchState over) {
        return over.cause() == Cause.NONE
                ? new BranchEffect.ReportEnd(endTravels(over), over.awaited())
                : failure(over, mayBeClean(over));
    }

    /** Whether neither this run nor its earlier tries have left anything behind. */
    private static boolean mayBeClean(BranchState over) {
        return over.clean()
                && switch (over.cause()) {
                    case UNANSWERED, WITHDRAWN -> true;
                    case THROWN -> over.leftNothing();
                    case CANCELLED -> over.isUndone();
                    case ROLLED_BACK -> over.terms().inside();
                    case NONE, UNKNOWN -> false;
                };
    }

    /** What may be clean here, the fence must say of other runs. */
    private static BranchEffect failure(BranchState over, boolean clean) {
        return clean && over.fenced()
                ? new BranchEffect.Bar(over.cause(), over.awaited())
                : new BranchEffect.ReportFailure(over.cause(), clean, over.awaited());
    }

    private static BranchStep over(BranchState state, BranchInput input) {
        return switch (input) {
            case BARRED, NOT_BARRED -> {
                // What may be left behind elsewhere, only the compensation can tell.
                boolean clean = input == BranchInput.BARRED && !state.terms().compensateOnException();
                yield step(state, new BranchEffect.ReportFailure(state.cause(), clean, state.awaited()));
            }
            // What is reported as failed must not run any more.
            case REACHED, REACHED_IN_TRANSACTION -> state.cause() == Cause.NONE ? stay(state) : step(state, Act.STOP);
            case CANCELLED -> state.unclaimed() ? step(state.claimed(true), Act.ABORT_SAGA) : stay(state);
            case HANDED_ON -> stay(state.claimed(true));
            case RETURNED -> step(state, Act.TELL_VALUE);
            case THREW, THREW_FOR_GOOD, PAUSE_BROKEN -> step(state, Act.TELL_THROWN);
            case FENCED, FENCED_WITHOUT_RESULTS, UNFENCED, FOUND, NOT_FOUND -> step(state, Act.TELL_CANCELLED);
            case NEXT_TRY, NOTED, DONE, COMMITTED, ROLLED_BACK, ENDED_UNKNOWN, ASKED -> stay(state);
            default -> throw unexpected(state, input);
        };
    }

    // ---- words

    private static BranchEffect observe(BranchOutcome outcome, Act told) {
        return new BranchEffect.Observe(outcome, told);
    }

    private static BranchStep stay(BranchState state) {
        return new BranchStep(state, List.of());
    }

    private static BranchStep step(BranchState state, BranchEffect effect) {
        return new BranchStep(state, List.of(effect));
    }

    private static IllegalStateException unexpected(BranchState state, BranchInput input) {
        return new IllegalStateException(input + " can not happen to a branch that is " + state.phase());
    }
}
