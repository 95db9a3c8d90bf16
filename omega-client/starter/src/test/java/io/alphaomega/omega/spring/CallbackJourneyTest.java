package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.CallbackFailure.Code.FENCE_ROW_MISSING;
import static io.alphaomega.protocol.v1.CallbackFailure.Code.FORWARD_MISSING;
import static io.alphaomega.protocol.v1.CallbackFailure.Code.OTHER_FENCE;
import static io.alphaomega.protocol.v1.CallbackFailure.Code.THREW;
import static io.alphaomega.protocol.v1.CallbackFailure.Code.UNDECODABLE;
import static io.alphaomega.protocol.v1.CallbackFailure.Code.UNKNOWN_CALLBACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.payload.StrictJson;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Compensations as alpha asks for them, over a real socket and with a SQLite database. */
class CallbackJourneyTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void a_compensation_gets_the_arguments_and_the_result_of_what_it_undoes() {
        run((counter, orders) -> {
            counter.sell("book");
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(orders.all()).containsExactly("book CANCELLED R-Ada");
        });
    }

    @Test
    void a_compensation_gets_the_result_from_the_fence_if_alpha_never_heard_of_the_end() {
        alpha.silentOn = Input::hasEndBranch;
        run(Applications.impatientShop(directory, alpha), (counter, orders) -> {
            counter.sell("book");
            assertSucceeded(
                    alpha.callBack(callback -> callback.clearForwardEnded().clearResult()));
            assertThat(orders.all()).containsExactly("book CANCELLED R-Ada");
        });
    }

    @Test
    void a_compensation_asked_for_twice_undoes_once() {
        run((counter, orders) -> {
            counter.sell("book");
            assertSucceeded(alpha.callBack(callback -> {}));
            orders.orderWithoutTransaction("book"); // Another one, outside the saga.
            assertSucceeded(alpha.callBack(callback -> callback.setAttempt(2)));
            assertThat(orders.all()).containsExactly("book CANCELLED R-Ada", "book ORDERED");
        });
    }

    @Test
    void what_was_rolled_back_is_not_undone() {
        run((counter, orders) -> {
            orderAUnicorn(counter, orders);
            orders.orderWithoutTransaction("book");
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(orders.all()).containsExactly("book ORDERED");
        });
    }

    @Test
    void a_lost_fence_row_is_never_taken_for_nothing_to_undo() {
        run((counter, orders) -> {
            orderAUnicorn(counter, orders);
            assertFailed(alpha.callBack(callback -> callback.setForwardEnded(true)), FENCE_ROW_MISSING);
            assertFailed(alpha.callBack(callback -> callback.setKind(CallbackKind.CONFIRMATION)), FORWARD_MISSING);
        });
    }

    @Test
    void a_row_that_may_have_been_purged_is_never_taken_for_nothing_to_undo() {
        long retention = Duration.ofDays(90).toMillis();
        run((counter, orders) -> {
            orderAUnicorn(counter, orders);
            assertFailed(alpha.callBack(callback -> callback.setBegunMillisAgo(retention)), FENCE_ROW_MISSING);
            assertSucceeded(alpha.callBack(callback -> callback.setBegunMillisAgo(retention - 1)));
        });
    }

    @Test
    void a_compensation_that_throws_is_answered_with_its_sentence_and_leaves_no_trace() {
        run((counter, orders) -> {
            counter.run(() -> orders.order(List.of(new Shop.Item("book", 1)), "stubborn"));
            CallbackResult result = alpha.callBack(callback -> {});
            assertFailed(result, THREW);
            assertThat(result.getFailure().getCause()).isEqualTo("IllegalStateException: not today");
            assertFailed(alpha.callBack(callback -> callback.setAttempt(2)), THREW);
        });
    }

    @Test
    void an_unknown_callback_is_answered_with_those_that_are_known() {
        run((counter, orders) -> {
            counter.sell("book");
            CallbackResult result = alpha.callBack(callback -> callback.setName("Orders.revoke"));
            assertFailed(result, UNKNOWN_CALLBACK);
            assertThat(result.getFailure().getCause()).contains("Orders.revoke", "Shop.Orders.cancel");
        });
    }

    @Test
    void arguments_of_other_types_are_undecodable_and_their_values_are_not_repeated() {
        run((counter, orders) -> {
            counter.sell("book");
            for (String arguments : List.of(
                    "",
                    "{}",
                    "[]",
                    "[[{\"name\":\"book\",\"many\":\"secret\"}],\"Ada\"]",
                    "[[],\"Ada\",1]",
                    "[[],\"Ada\"")) {
                CallbackResult result =
                        alpha.callBack(callback -> callback.setArguments(ByteString.copyFromUtf8(arguments)));
                assertFailed(result, UNDECODABLE);
                assertThat(result.getFailure().getCause()).doesNotContain("secret");
            }
            assertThat(orders.all()).containsExactly("book ORDERED");
        });
    }

    @Test
    void arguments_whose_properties_have_been_renamed_are_undecodable_and_not_filled_with_nothing() {
        run((counter, orders) -> {
            counter.sell("book");
            for (String arguments : List.of(
                    "[[{\"title\":\"book\",\"many\":2}],\"Ada\"]",
                    "[[{\"many\":2}],\"Ada\"]",
                    "[[{\"name\":\"book\"}],\"Ada\"]",
                    "[[{\"name\":\"book\",\"many\":null}],\"Ada\"]",
                    "[[{\"name\":\"book\",\"many\":2,\"colour\":\"red\"}],\"Ada\"]")) {
                assertFailed(
                        alpha.callBack(callback -> callback.setArguments(ByteString.copyFromUtf8(arguments))),
                        UNDECODABLE);
            }
            assertThat(orders.all()).containsExactly("book ORDERED");
            CallbackResult missing = alpha.callBack(callback ->
                    callback.setArguments(ByteString.copyFromUtf8("[[{\"title\":\"book\",\"many\":2}],\"Ada\"]")));
            assertThat(missing.getFailure().getCause())
                    .contains("argument 1", "Shop.Item has no property 'title'", "'name' of Shop.Item is missing")
                    .doesNotContain("book");
        });
    }

    /** JSON in Base64, so that its bytes are a JSON string. */
    static class Base64Codec implements PayloadCodec {
        private final PayloadCodec plain = new StrictJson();

        @Override
        public byte[] encode(Type type, @Nullable Object value) {
            return plain.encode(byte[].class, plain.encode(type, value));
        }

        @Override
        public @Nullable Object decode(Type type, byte[] json) {
            return plain.decode(type, (byte[]) Objects.requireNonNull(plain.decode(byte[].class, json)));
        }
    }

    @Test
    void a_codec_of_the_applications_own_takes_the_place_of_omegas() {
        run(Applications.shop(directory, alpha).withBean(Base64Codec.class), (counter, orders) -> {
            counter.sell("bük]\"");
            assertThat(alpha.only(Input.KindCase.BEGIN_BRANCH)
                            .getBeginBranch()
                            .getArguments()
                            .toStringUtf8())
                    .matches("\\[\"[A-Za-z0-9+/=]+\",\"[A-Za-z0-9+/=]+\"]");
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(orders.all()).containsExactly("bük]\" CANCELLED R-Ada");
        });
    }

    @Test
    void a_codec_whose_bytes_are_not_one_json_value_is_told_so_before_anything_happens() {
        run(Applications.shop(directory, alpha).withBean(PayloadStartUpTest.Shouting.class), (counter, orders) -> {
            assertThatThrownBy(() -> counter.sell("book"))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("did not write one JSON value for each");
            assertThat(orders.all()).isEmpty();
        });
    }

    @Test
    void a_fenced_branch_is_not_undone_without_a_fence() {
        run(Applications.shop(directory, alpha).withPropertyValues("omega.fence.enabled=false"), (counter, orders) -> {
            counter.sell("book");
            assertFailed(alpha.callBack(callback -> callback.setFenced(true)), OTHER_FENCE);
            assertThat(orders.all()).containsExactly("book ORDERED");
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(orders.all()).containsExactly("book CANCELLED R-Ada");
        });
    }

    /** Inserts a row, throws, and is rolled back. */
    private static void orderAUnicorn(Shop.Counter counter, Shop.Orders orders) {
        assertThatThrownBy(() -> counter.run(() -> orders.order(List.of(new Shop.Item("unicorn", 1)), "Ada")))
                .isInstanceOf(Shop.OutOfStock.class);
    }

    private static void assertSucceeded(CallbackResult result) {
        assertThat(result.hasFailure()).as(result::toString).isFalse();
    }

    private static void assertFailed(CallbackResult result, io.alphaomega.protocol.v1.CallbackFailure.Code code) {
        assertThat(result.getFailure().getCode()).isEqualTo(code);
    }

    private void run(BiConsumer<Shop.Counter, Shop.Orders> test) {
        run(Applications.shop(directory, alpha), test);
    }

    private static void run(ApplicationContextRunner application, BiConsumer<Shop.Counter, Shop.Orders> test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Shop.Counter.class), context.getBean(Shop.Orders.class));
        });
    }
}
