package io.alphaomega.server.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.wire.WireInputs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WireInputsTest {
    private static final Hello HELLO = Hello.newBuilder()
            .setService("hotel")
            .setInstance("hotel-1")
            .setBuild("1.4")
            .build();
    private static final io.alphaomega.saga.Policy DEFAULTS = io.alphaomega.saga.Policy.DEFAULT;

    @Test
    void what_a_stream_reports_is_reported_in_the_name_of_who_said_hello() {
        Input input = Input.newBuilder()
                .setBegin(BeginSaga.newBuilder()
                        .setOperation("book")
                        .setBusinessKey("order 7")
                        .putAttributes("customer", "42"))
                .build();

        assertThat(fromOmega(input))
                .isEqualTo(new SagaInput.Begin(
                        new Initiator("hotel", "hotel-1", "book", "order 7", Map.of("customer", "42")), DEFAULTS));
    }

    @Test
    void a_begin_that_is_carried_says_who_began_the_saga() {
        Carried nobodys = Carried.newBuilder()
                .setBegin(BeginSaga.newBuilder().setOperation("book"))
                .setInstance("booking-1")
                .build();
        Input.Builder input = Input.newBuilder().setEnd(EndSaga.getDefaultInstance());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> fromOmega(input.setCarried(nobodys).build()))
                .withMessageContaining("must say which service and instance began the saga, but says service ''");
        assertThat(fromOmega(input.setCarried(nobodys.toBuilder().setService("booking"))
                        .build()))
                .isInstanceOfSatisfying(
                        SagaInput.Carrying.class,
                        carrying -> assertThat(carrying.begin())
                                .map(SagaInput.Begin::initiator)
                                .contains(new Initiator("booking", "booking-1", "book", "", Map.of())));
    }

    @Test
    void a_zero_is_the_default_and_a_number_is_not() {
        Input input = Input.newBuilder()
                .setBegin(BeginSaga.newBuilder()
                        .setPolicy(Policy.newBuilder()
                                .setTimeoutMillis(7000)
                                .setOrder(Policy.Order.PARALLEL)
                                .setCallbacks(CallbackPolicy.newBuilder().setAttempts(3))))
                .build();

        assertThat(((SagaInput.Begin) fromOmega(input)).policy())
                .isEqualTo(new io.alphaomega.saga.Policy(
                        Duration.ofSeconds(7),
                        DEFAULTS.branchTimeout(),
                        io.alphaomega.saga.Policy.Order.PARALLEL,
                        new io.alphaomega.saga.CallbackPolicy(
                                3,
                                DEFAULTS.callbacks().within(),
                                DEFAULTS.callbacks().firstDelay(),
                                DEFAULTS.callbacks().maxDelay(),
                                DEFAULTS.callbacks().timeout())));
    }

    @Test
    void one_delay_alone_never_contradicts_the_default_of_the_other() {
        var longFirst = policyOf(CallbackPolicy.newBuilder().setFirstDelayMillis(3_600_000));
        assertThat(longFirst.maxDelay()).isEqualTo(Duration.ofHours(1));
        var shortMax = policyOf(CallbackPolicy.newBuilder().setMaxDelayMillis(10));
        assertThat(shortMax.firstDelay()).isEqualTo(Duration.ofMillis(10));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policyOf(
                        CallbackPolicy.newBuilder().setFirstDelayMillis(20).setMaxDelayMillis(10)))
                .withMessageContaining("shorter than the first delay");
    }

    @Test
    void a_branch_without_callback_policy_and_timeout_has_the_sagas() {
        Input input = Input.newBuilder()
                .setBeginBranch(BeginBranch.newBuilder()
                        .setBranch("b1")
                        .setOperation("reserve")
                        .setCompensation(CallbackOffer.newBuilder().setName("release"))
                        .setFenced(true)
                        .setFence("f-1")
                        .setArguments(ByteString.copyFromUtf8("[1]")))
                .build();

        assertThat(fromOmega(input))
                .isEqualTo(new SagaInput.BeginBranch(
                        new BranchCall(
                                new BranchId("b1"),
                                Optional.empty(),
                                "hotel",
                                "hotel-1",
                                "1.4",
                                "reserve",
                                Optional.of(new io.alphaomega.saga.CallbackOffer("release", Optional.empty())),
                                Optional.empty(),
                                true,
                                "f-1",
                                false,
                                new Payload("[1]".getBytes(StandardCharsets.UTF_8)),
                                "",
                                Optional.empty()),
                        Optional.empty()));
    }

    @Test
    void what_cannot_be_an_input_is_refused_with_a_sentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fromOmega(Input.getDefaultInstance()))
                .withMessage(
                        "the input is of no kind that this alpha knows; if the omega is newer, upgrade alpha first");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fromOmega(Input.newBuilder()
                        .setEndBranch(EndBranch.getDefaultInstance())
                        .build()))
                .withMessage("branch id must be 1 to 64 characters of A–Z a–z 0–9 - _ . : but was ''");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fromOmega(Input.newBuilder()
                        .setBegin(BeginSaga.newBuilder()
                                .setPolicy(Policy.newBuilder().setTimeoutMillis(-1)))
                        .build()))
                .withMessageStartingWith("saga timeout must be more than 0 and at most");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fromOmega(Input.newBuilder()
                        .setBegin(BeginSaga.newBuilder()
                                .setPolicy(Policy.newBuilder().setOrderValue(9)))
                        .build()))
                .withMessage("unknown order in a message: number 9; if the sender is newer, upgrade this alpha");
    }

    @Test
    void a_callback_without_a_failure_succeeded() {
        assertThat(WireInputs.fromResult(HELLO, result().build()))
                .isEqualTo(new SagaInput.SucceedCallback(
                        new BranchId("b1"), io.alphaomega.saga.CallbackKind.COMPENSATION, 2, "hotel"));
    }

    @Test
    void a_failure_of_a_kind_that_only_newer_omegas_know_is_retried() {
        assertThat(WireInputs.fromResult(
                        HELLO,
                        result().setFailure(CallbackFailure.newBuilder()
                                        .setCodeValue(99)
                                        .setCause("?"))
                                .build()))
                .isEqualTo(new SagaInput.FailCallback(
                        new BranchId("b1"),
                        io.alphaomega.saga.CallbackKind.COMPENSATION,
                        2,
                        FailureCode.THREW,
                        "?",
                        "hotel"));
    }

    @Test
    void what_no_instance_of_its_build_can_run_says_which_build_that_is() {
        Map<CallbackFailure.Code, FailureCode> ofTheBuild = Map.of(
                CallbackFailure.Code.UNDECODABLE, FailureCode.UNDECODABLE,
                CallbackFailure.Code.UNKNOWN_CALLBACK, FailureCode.UNKNOWN_CALLBACK,
                CallbackFailure.Code.FORWARD_MISSING, FailureCode.FORWARD_MISSING,
                CallbackFailure.Code.FENCE_ROW_MISSING, FailureCode.FENCE_ROW_MISSING,
                CallbackFailure.Code.OTHER_FENCE, FailureCode.THREW);
        ofTheBuild.forEach((said, code) -> assertThat(failed(HELLO, said))
                .isEqualTo(new SagaInput.FailCallback(
                        new BranchId("b1"),
                        io.alphaomega.saga.CallbackKind.COMPENSATION,
                        2,
                        code,
                        "?",
                        "hotel",
                        "1.4")));
        assertThat(failed(HELLO, CallbackFailure.Code.THREW).build()).isEmpty();
    }

    @Test
    void an_older_omega_is_of_the_build_that_its_version_and_callbacks_make() {
        Hello older = HELLO.toBuilder()
                .clearBuild()
                .setVersion("1.0.0")
                .addCallbacks("a")
                .addCallbacks("b")
                .build();
        Hello reordered = older.toBuilder()
                .clearCallbacks()
                .addCallbacks("b")
                .addCallbacks("a")
                .build();
        Hello other = older.toBuilder().addCallbacks("c").build();

        String build = WireInputs.build(older);
        assertThat(build).startsWith("omega-1.0.0-").isEqualTo(WireInputs.build(reordered));
        assertThat(build).isNotEqualTo(WireInputs.build(other));
        assertThat(failed(older, CallbackFailure.Code.UNDECODABLE).build()).isEqualTo(build);
        Hello strange = older.toBuilder().setVersion("v".repeat(300)).build();
        assertThat(WireInputs.build(strange)).hasSizeLessThanOrEqualTo(64);
    }

    private static SagaInput.FailCallback failed(Hello hello, CallbackFailure.Code code) {
        return (SagaInput.FailCallback) WireInputs.fromResult(
                hello,
                result().setFailure(CallbackFailure.newBuilder().setCode(code).setCause("?"))
                        .build());
    }

    @Test
    void a_result_that_does_not_say_of_which_callback_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> WireInputs.fromResult(HELLO, result().clearKind().build()))
                .withMessageContaining("CALLBACK_KIND_UNSPECIFIED");
    }

    private static CallbackResult.Builder result() {
        return CallbackResult.newBuilder()
                .setSaga("s1")
                .setBranch("b1")
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(2);
    }

    private static io.alphaomega.saga.CallbackPolicy policyOf(CallbackPolicy.Builder callbacks) {
        Input input = Input.newBuilder()
                .setBegin(BeginSaga.newBuilder().setPolicy(Policy.newBuilder().setCallbacks(callbacks)))
                .build();
        return ((SagaInput.Begin) fromOmega(input)).policy().callbacks();
    }

    private static SagaInput fromOmega(Input input) {
        return WireInputs.fromOmega(HELLO, input, DEFAULTS);
    }
}
