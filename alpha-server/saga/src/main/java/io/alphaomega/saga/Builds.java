package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What holds while several builds of a service run side by side: that one of them cannot run a callback is no verdict of
 * the service. Another is asked at once, and nothing is counted; only when none that is connected can does the callback
 * fail. A build that connects later is asked then.
 */
final class Builds {
    private Builds() {}

    /** What an instance says that was asked in vain. Each build is asked once, so this comes to an end. */
    static SagaEvent failed(Saga saga, Effort effort, SagaInput.FailCallback said, Instant now) {
        boolean othersMay = !said.build().isEmpty()
                && !effort.isUnable(said.build())
                && effort.unable().size() < Limits.BUILDS
                && now.isBefore(effort.giveUpAt());
        if (!othersMay) return CallbackEvents.failed(saga, said.branch(), effort, said.code(), said.error(), now);
        Unable unable = new Unable(said.build(), said.code(), said.error());
        return new SagaEvent.CallbackDeferred(
                said.branch(), said.kind(), said.attempt(), now, Optional.of(unable), now);
    }

    /** No other build is connected: what those said that are is the service's answer now. */
    static SagaEvent missed(Saga saga, BranchId id, Effort effort, Instant now) {
        if (effort.unable().isEmpty()) return CallbackEvents.missed(saga, id, effort, now);
        return CallbackEvents.failed(saga, id, effort, verdict(effort.unable()), text(effort.unable()), now);
    }

    /** What only a person can mend tells most. */
    private static FailureCode verdict(List<Unable> unable) {
        for (Unable each : unable) {
            if (!each.code().retried()) return each.code();
        }
        return unable.getFirst().code();
    }

    private static String text(List<Unable> unable) {
        if (unable.size() == 1) return unable.getFirst().error();
        int each = Limits.REASON_CHARS / unable.size();
        return unable.stream()
                .map(one -> Limits.shortened("build %s: %s".formatted(one.build(), one.error()), each - 2))
                .collect(Collectors.joining("; "));
    }

    /** The request for a branch that one of {@code connected} may be able to call back, where others were not; or null. */
    static @Nullable SagaEvent asked(Saga saga, Branch branch, Set<String> connected, Instant now) {
        return switch (branch.progress()) {
            case Progress.GaveUp gaveUp -> {
                if (!mayKnow(gaveUp.effort(), connected)) yield null;
                Instant giveUpAt = now.plus(
                        CallbackEvents.policy(saga, branch, gaveUp.effort().kind())
                                .within());
                yield CallbackEvents.requested(saga, branch, gaveUp.effort().resumed(giveUpAt), now);
            }
            case Progress.AwaitingRetry awaiting ->
                mayKnow(awaiting.effort(), connected)
                        ? CallbackEvents.requested(saga, branch, awaiting.effort(), now)
                        : null;
            case Progress.Idle idle -> null;
            case Progress.Asked asked -> null;
            case Progress.AwaitingParticipant awaiting -> null;
            case Progress.Done done -> null;
            case Progress.Skipped skipped -> null;
        };
    }

    /** Whether it has failed for lack of a build, and one is there now that has not said that it cannot. */
    private static boolean mayKnow(Effort effort, Set<String> connected) {
        if (!effort.lacksBuild()) return false;
        for (String build : connected) {
            if (!effort.isUnable(build)) return true;
        }
        return false;
    }
}
