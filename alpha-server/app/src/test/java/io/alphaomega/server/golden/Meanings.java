package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.GoAway;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Limits;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.wire.NodeMessages;
import io.alphaomega.server.wire.v1.Remoting;
import io.alphaomega.wire.WireAnswers;
import io.alphaomega.wire.WireInputs;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;

/** What today's code understands by a message of the wire, in words; and that it would write the same. */
final class Meanings {
    /** What a duration of 0 stands for; alpha's defaults may change, these do not. */
    private static final Policy DEFAULTS = new Policy(
            Duration.ofMinutes(7),
            Duration.ofSeconds(70),
            Policy.Order.SEQUENTIAL,
            new CallbackPolicy(
                    77, Duration.ofHours(7), Duration.ofSeconds(7), Duration.ofMinutes(7), Duration.ofSeconds(17)));

    private static final Hello HOTEL =
            Hello.newBuilder().setService("hotel").setInstance("hotel-7f").build();

    private static final Instant NOW = Instant.EPOCH;

    private Meanings() {}

    static String of(FromOmega said) {
        return switch (said.getKindCase()) {
            case HELLO -> hello(said.getHello());
            case BATCH ->
                said.getBatch().getInputsList().stream()
                        .map(Meanings::input)
                        .toList()
                        .toString();
            case RESULT -> result(said.getResult());
            case DRAINING -> "Draining";
            case KIND_NOT_SET -> throw new AssertionError("no kind that is known: " + said);
        };
    }

    private static String hello(Hello hello) {
        String marks = hello.getSeenList().stream().map(Meanings::mark).collect(Collectors.joining("; "));
        return "Hello of %s %s, omega '%s', offers %s%s"
                .formatted(
                        hello.getService(),
                        hello.getInstance(),
                        hello.getVersion(),
                        hello.getCallbacksList(),
                        marks.isEmpty() ? "" : ", has seen " + marks);
    }

    private static String mark(StoreMark mark) {
        return "Mark %s of run %s of store %s, written %s"
                .formatted(
                        Long.toUnsignedString(mark.getNumber()),
                        mark.getRun(),
                        mark.getStore(),
                        Instant.ofEpochMilli(mark.getAtMillis()));
    }

    private static String input(Input input) {
        return "#%s %s: %s"
                .formatted(
                        Long.toUnsignedString(input.getCorrelation()),
                        new SagaId(input.getSaga()),
                        WireInputs.fromOmega(HOTEL, input, DEFAULTS));
    }

    private static String result(CallbackResult result) {
        return new SagaId(result.getSaga()) + ": " + WireInputs.fromResult(HOTEL, result);
    }

    static String of(FromAlpha said) {
        return switch (said.getKindCase()) {
            case WELCOME -> welcome(said.getWelcome());
            case ACKS ->
                said.getAcks().getAcksList().stream().map(Meanings::ack).collect(Collectors.joining("; "));
            case CALLBACK ->
                said.getCallback().getKind() == CallbackKind.INQUIRY
                        ? inquiry(said.getCallback()).toString()
                        : callback(said.getCallback()).toString();
            case GO_AWAY -> goAway(said.getGoAway());
            case SHARDS -> shards(said.getShards());
            case MARK -> mark(said.getMark());
            case KIND_NOT_SET -> throw new AssertionError("no kind that is known: " + said);
        };
    }

    private static String shards(Shards shards) {
        return "Shards %s of %d are here".formatted(shards.getHereList(), shards.getCount());
    }

    private static String welcome(Welcome welcome) {
        Limits limits = welcome.getLimits();
        return "Welcome from %s, alpha '%s': %d bytes of payload, %d branches, %d unanswered inputs, %d bytes of message"
                .formatted(
                        welcome.getNode(),
                        welcome.getVersion(),
                        limits.getPayloadBytes(),
                        limits.getBranches(),
                        limits.getUnansweredInputs(),
                        limits.getMessageBytes());
    }

    private static String ack(Ack ack) {
        return "#" + Long.toUnsignedString(ack.getCorrelation()) + " " + answer(ack);
    }

    private static String answer(Ack ack) {
        if (ack.hasUnavailable()) {
            Duration after = Duration.ofMillis(ack.getUnavailable().getRetryAfterMillis());
            String text = ack.getUnavailable().getText();
            assertThat(WireAnswers.toUnavailable(ack.getCorrelation(), after, text))
                    .isEqualTo(ack);
            return "Unavailable for %s: %s".formatted(after, text);
        }
        String text = ack.getRejected().getText();
        return switch (ack.getRejected().getReason()) {
            case "INVALID" -> {
                assertThat(WireAnswers.toInvalid(ack.getCorrelation(), text)).isEqualTo(ack);
                yield "Invalid: " + text;
            }
            case "JOURNAL_UNREADABLE" -> {
                assertThat(WireAnswers.toUnreadable(ack.getCorrelation(), text)).isEqualTo(ack);
                yield "Unreadable: " + text;
            }
            default -> {
                Reply reply = NodeMessages.fromNode(
                        Remoting.Reply.newBuilder().setAck(ack).build());
                assertThat(WireAnswers.toAck(ack.getCorrelation(), reply)).isEqualTo(ack);
                yield reply.toString();
            }
        };
    }

    private static SagaEffect.Call callback(Callback wire) {
        SagaEffect.Call call = new SagaEffect.Call(
                new BranchId(wire.getBranch()),
                "",
                "",
                wire.getKind() == CallbackKind.COMPENSATION
                        ? io.alphaomega.saga.CallbackKind.COMPENSATION
                        : io.alphaomega.saga.CallbackKind.CONFIRMATION,
                wire.getName(),
                wire.getAttempt(),
                new Payload(wire.getArguments().toByteArray()),
                new Payload(wire.getResult().toByteArray()),
                wire.getForwardEnded(),
                wire.getFenced(),
                wire.getFence(),
                wire.getTraceparent(),
                NOW.minusMillis(wire.getBegunMillisAgo()),
                NOW.plusMillis(wire.getAnswerWithinMillis()),
                NOW,
                "",
                Set.of(),
                wire.getBusinessKey(),
                wire.getRetried());
        assertThat(WireAnswers.toCallback(new SagaId(wire.getSaga()), call, NOW))
                .isEqualTo(wire);
        return call;
    }

    private static SagaEffect.AskFence inquiry(Callback wire) {
        SagaEffect.AskFence question = new SagaEffect.AskFence(
                new BranchId(wire.getBranch()),
                "",
                "",
                wire.getInquired(),
                new Payload(wire.getArguments().toByteArray()),
                wire.getFence(),
                wire.getTraceparent(),
                NOW.minusMillis(wire.getBegunMillisAgo()));
        Duration within = Duration.ofMillis(wire.getAnswerWithinMillis());
        assertThat(WireAnswers.toInquiry(new SagaId(wire.getSaga()), question, within, NOW))
                .isEqualTo(wire);
        return question;
    }

    private static String goAway(GoAway away) {
        return "GoAway for %s: %s".formatted(Duration.ofMillis(away.getReconnectAfterMillis()), away.getReason());
    }
}
