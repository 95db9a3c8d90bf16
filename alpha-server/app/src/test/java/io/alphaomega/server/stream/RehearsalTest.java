package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which sagas are aborted on purpose. */
class RehearsalTest {
    private static final SagaId SAGA = new SagaId("saga");
    private static final SagaInput END = new SagaInput.End(true);
    private static final SagaInput ABORT = new SagaInput.Abort(Rehearsal.CAUSE);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void only_a_commit_becomes_an_abort_and_keeps_what_travels_with_it() {
        Rehearsal all = new Rehearsal(1, meters);
        List<BranchId> ended = List.of(new BranchId("b"));
        SagaInput failed = new SagaInput.FailBranch(new BranchId("b"), "full", true, "hotel");

        assertThat(all.of(SAGA, END)).isEqualTo(ABORT);
        assertThat(all.of(SAGA, new SagaInput.Carrying(Optional.empty(), ended, END)))
                .isEqualTo(new SagaInput.Carrying(Optional.empty(), ended, ABORT));
        assertThat(all.of(SAGA, failed)).isSameAs(failed);
        assertThat(meters.get("alpha.rehearsal.aborts").counter().count()).isEqualTo(2);
    }

    @Test
    void a_share_of_the_sagas_is_chosen_and_always_the_same() {
        Rehearsal some = new Rehearsal(0.1, meters);
        Rehearsal none = new Rehearsal(0, meters);
        List<SagaId> sagas = IntStream.range(0, 10_000)
                .mapToObj(i -> new SagaId(new UUID(42, i * 7_919L).toString()))
                .toList();

        List<SagaId> chosen =
                sagas.stream().filter(saga -> some.of(saga, END).equals(ABORT)).toList();

        assertThat(chosen).hasSizeBetween(800, 1_200);
        assertThat(chosen).allSatisfy(saga -> assertThat(some.of(saga, END)).isEqualTo(ABORT));
        assertThat(sagas).allSatisfy(saga -> assertThat(none.of(saga, END)).isSameAs(END));
    }

    @Test
    void nothing_is_rehearsed_in_earnest() {
        for (String profile : List.of("prod", "PRODUCTION", "prod-eu", "live_2")) {
            assertThatThrownBy(() -> Rehearsal.requireProfiles(0.1, List.of("json", profile)))
                    .hasMessageContaining("alpha.rehearsal.share must be 0 unless");
        }
        assertThatThrownBy(() -> Rehearsal.requireProfiles(0.1, List.of()))
                .hasMessageContaining("with the profiles []");
        Rehearsal.requireProfiles(0, List.of("prod"));
        Rehearsal.requireProfiles(0.1, List.of("staging", "reproduction"));
    }
}
