package io.alphaomega.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class BranchesTest {
    private static final Instant AT = Instant.parse("2026-11-20T08:00:00Z");
    private static final Optional<CallbackOffer> OFFER = Optional.of(new CallbackOffer("undo", Optional.empty()));

    private final Random random = new Random(42);
    private final List<Branch> expected = new ArrayList<>();
    private long order;

    @Test
    void whateverChangesWhatIsDerivedFollowsFromTheBranchesAlone() {
        Branches branches = Branches.NONE;
        for (int i = 0; i < Limits.BRANCHES; i++) {
            Branch begun = begun();
            expected.add(begun);
            branches = changed(branches.with(begun));
            check(branches, CallbackKind.COMPENSATION);
        }
        branches = branches.toConfirm();
        for (int i = 0; i < Limits.BRANCHES; i++) {
            check(branches, CallbackKind.CONFIRMATION);
            branches = changed(branches);
        }
    }

    @Test
    void aChangeOfEachIsAChangeOfThoseThatItConcerns() {
        Branches branches = Branches.NONE;
        for (int i = 0; i < 40; i++) {
            Branch begun = begun();
            expected.add(begun);
            branches = changed(branches.with(begun));
        }
        UnaryOperator<Branch> change = b -> b.progress() instanceof Progress.Asked ? b.with(new Progress.Idle(1)) : b;
        expected.replaceAll(change);
        check(branches.changingEach(change), CallbackKind.COMPENSATION);
    }

    private Branches changed(Branches branches) {
        int position = random.nextInt(expected.size());
        Branch before = expected.get(position);
        Effort effort = Effort.none(CallbackKind.COMPENSATION, 1, AT);
        Branch after =
                switch (random.nextInt(6)) {
                    case 0 -> before.with(new Forward.Failed("no", AT));
                    case 1 -> before.with(new Progress.Asked(effort, true, AT));
                    case 2 -> before.with(new Progress.Idle(1));
                    case 3 -> before.with(new Progress.Done(CallbackKind.COMPENSATION, 1));
                    default -> before.with(new Forward.Ended(Payload.EMPTY, ++order, AT));
                };
        expected.set(position, after);
        return branches.changing(position, same -> after);
    }

    private void check(Branches branches, CallbackKind kind) {
        assertThat(branches).isEqualTo(expected);
        assertThat(branches.moving())
                .containsExactlyElementsOf(
                        expected.stream().filter(b -> !b.isAtRest()).toList());
        Comparator<Branch> order = Comparator.comparingLong(b -> ((Forward.Ended) b.forward()).order());
        assertThat(branches.firstInLine())
                .isEqualTo(expected.stream()
                        .filter(b -> b.forward() instanceof Forward.Ended)
                        .filter(b -> b.progress() instanceof Progress.Idle)
                        .filter(b -> b.offer(kind).isPresent())
                        .min(kind == CallbackKind.CONFIRMATION ? order : order.reversed())
                        .orElse(null));
        int any = random.nextInt(expected.size());
        assertThat(branches.position(expected.get(any).id())).isEqualTo(any);
        assertThat(branches.position(new BranchId("nobody"))).isEqualTo(-1);
    }

    private Branch begun() {
        Optional<CallbackOffer> compensation = random.nextBoolean() ? OFFER : Optional.empty();
        Optional<CallbackOffer> confirmation = random.nextBoolean() ? OFFER : Optional.empty();
        return new Branch(
                new BranchCall(
                        new BranchId("branch-" + expected.size()),
                        Optional.empty(),
                        "hotel",
                        "hotel-1",
                        "1.4",
                        "Rooms.reserve",
                        compensation,
                        confirmation,
                        true,
                        "",
                        false,
                        Payload.EMPTY,
                        "",
                        Optional.empty()),
                AT,
                expected.size() + 2L,
                new Forward.Running(AT),
                new Progress.Idle(0));
    }
}
