package io.alphaomega.omega.spring.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.ClassValues;
import io.alphaomega.omega.spring.Shop;
import io.alphaomega.omega.spring.SmallAlpha;
import io.alphaomega.omega.spring.ValueDesk;
import io.alphaomega.omega.spring.config.Texts;
import io.alphaomega.protocol.v1.Input;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What was written is read back, wherever omega keeps a value. */
@SuppressWarnings("UnnecessaryStringBuilder") // Not a String is what is wanted.
class ReadBackTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    // ---- when

    /** Is what it was given only if that is even. */
    static class Even {
        private final int value;

        Even(@JsonProperty("value") int value) {
            this.value = value / 2 * 2;
        }

        private Even(int value, boolean exactly) {
            this.value = exactly ? value : 0;
        }

        static Even of(int value) {
            return new Even(value, true);
        }

        int value() {
            return value;
        }
    }

    private static final class Counting implements PayloadCodec {
        private final StrictJson json = new StrictJson();
        private final AtomicInteger reads = new AtomicInteger();

        @Override
        public byte[] encode(Type type, @Nullable Object value) {
            return json.encode(type, value);
        }

        @Override
        public @Nullable Object decode(Type type, byte[] bytes) {
            reads.incrementAndGet();
            return json.decode(type, bytes);
        }
    }

    private static void write(ReadBack readBack, Type type, @Nullable Object value) {
        readBack.written("Desk.book", 0, type, value, () -> List.of(type));
    }

    @Test
    void the_first_value_of_each_shape_is_read_back_and_then_a_sample() {
        Counting codec = new Counting();
        ReadBack readBack = new ReadBack(codec, null, false);
        for (int i = 0; i < 100_000; i++) write(readBack, Even.class, Even.of(2));
        assertThat(codec.reads.get()).isBetween(30, 300);
        int before = codec.reads.get();
        write(readBack, Object.class, List.of("a"));
        write(readBack, Object.class, List.of("a", "b"));
        assertThat(codec.reads.get() - before).isBetween(1, 2);
        write(readBack, Object.class, Collections.singletonList(null));
        assertThat(codec.reads.get() - before).isBetween(2, 4);
    }

    @Test
    void what_differs_only_now_and_then_is_found_by_the_sample() {
        ReadBack readBack = new ReadBack(new StrictJson(), null, false);
        write(readBack, Even.class, Even.of(2));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) write(readBack, Even.class, Even.of(3));
                })
                .hasMessageContaining("at value an Integer becomes another one");
    }

    @Test
    void each_value_is_read_back_if_that_is_wanted() {
        ReadBack always = new ReadBack(new StrictJson(), null, true);
        write(always, Even.class, Even.of(2));
        assertThatThrownBy(() -> write(always, Even.class, Even.of(3))).isInstanceOf(ReadBack.NotWholeException.class);
    }

    @Test
    void a_value_whose_class_says_little_of_how_it_is_written_is_read_back_each_time() {
        ReadBack readBack = new ReadBack(new StrictJson(), null, false);
        write(readBack, Locale.class, Locale.GERMANY);
        assertThatThrownBy(() -> write(readBack, Locale.class, new Locale("no", "NO", "NY")))
                .hasMessageContaining("a Locale becomes another one");
        assertThatThrownBy(() -> write(readBack, ClassValues.Twin.class, ClassValues.Twin.RIGHT))
                .isInstanceOf(ReadBack.NotWholeException.class);
    }

    @Test
    void a_value_is_read_as_each_of_the_types_that_its_callbacks_declare() {
        Type longs = new org.springframework.core.ParameterizedTypeReference<List<Long>>() {}.getType();
        ReadBack readBack = new ReadBack(new StrictJson(), null, false);
        readBack.written("Desk.book", 0, longs, List.of(1L), () -> List.of(longs));
        assertThatThrownBy(() -> readBack.written("Desk.move", 0, longs, List.of(1L), () -> List.of(longs, List.class)))
                .hasMessageContaining("at [0] a Long becomes an Integer");
    }

    // ---- where

    private ApplicationContextRunner shop() {
        return Applications.shop(directory, alpha);
    }

    static class TextDesk extends ValueDesk<String> {}

    /** Forgets what is behind a comma. */
    static class Forgetful implements PayloadCodec {
        private final StrictJson json = new StrictJson();

        @Override
        public byte[] encode(Type type, @Nullable Object value) {
            return json.encode(type, value instanceof String text ? text.replaceFirst(",.*", "") : value);
        }

        @Override
        public @Nullable Object decode(Type type, byte[] bytes) {
            return json.decode(type, bytes);
        }
    }

    @Test
    void what_a_codec_of_the_applications_own_writes_is_read_back_as_well() {
        shop().withBean(TextDesk.class)
                .withBean(PayloadCodec.class, Forgetful::new)
                .run(context -> {
                    TextDesk desk = context.getBean(TextDesk.class);
                    Shop.Counter counter = context.getBean(Shop.Counter.class);
                    assertThatThrownBy(() -> counter.run(() -> desk.take("cut, here")))
                            .isInstanceOf(SagaException.class)
                            .hasMessageContaining(
                                    "TextDesk.take did not run: its argument 1 (value), a java.lang.String,")
                            .hasMessageContaining("a String becomes another one");
                    assertThat(desk.taken()).isNull();
                    counter.run(() -> desk.take("whole"));
                });
    }

    static class ResultDesk extends ValueDesk<CharSequence> {}

    @Test
    void a_result_that_would_not_come_back_rolls_the_method_back() {
        shop().withBean(ResultDesk.class).run(context -> {
            ResultDesk desk = context.getBean(ResultDesk.class);
            desk.returns(StringBuilder::new);
            assertThatThrownBy(() -> context.getBean(Shop.Counter.class).run(() -> desk.take("text")))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("The result of ReadBackTest.ResultDesk.take, a java.lang.CharSequence,")
                    .hasMessageContaining("a StringBuilder becomes a String");
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void what_a_handler_is_told_is_read_back() {
        CompensationHandler<Pair> handler = CompensationHandler.of("undo", Pair.class, pair -> {});
        shop().withBean("handler", CompensationHandler.class, () -> handler).run(context -> {
            SagaTemplate sagas = context.getBean(SagaTemplate.class);
            AtomicInteger ran = new AtomicInteger();
            Pair told = new Pair(List.of(1L), new StringBuilder("x"));
            Throwable refused = catchThrowable(() -> sagas.executeWithoutResult(
                    SagaSettings.named("trip"),
                    saga -> saga.branch("hotel").compensateWith(handler, told).run(ran::incrementAndGet)));
            assertThat(refused)
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("hotel did not run")
                    .hasMessageContaining("at text a StringBuilder becomes a String");
            assertThat(ran).hasValue(0);
        });
    }

    record Pair(List<Long> numbers, CharSequence text) {}

    private static final class Capturing implements CallbackInterceptor {
        private Map<String, @Nullable String> next = Map.of();

        @Override
        @SuppressWarnings({"NullAway", "unchecked"}) // That somebody does it is what this is about.
        public Map<String, String> capture() {
            return (Map<String, String>) (Map<String, ?>) next;
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            callback.proceed();
        }
    }

    @Test
    void captured_values_come_back_or_are_refused() {
        Capturing capturing = new Capturing();
        shop().withBean(TextDesk.class)
                .withBean(Capturing.class, () -> capturing)
                .run(context -> {
                    TextDesk desk = context.getBean(TextDesk.class);
                    Shop.Counter counter = context.getBean(Shop.Counter.class);
                    for (String text : List.of("", "😀 \u0000 \"", "null", "übrig")) {
                        capturing.next = Map.of("tenant", text);
                        counter.run(() -> desk.take("text"));
                        List<Input> begins = alpha.inputs().stream()
                                .filter(Input::hasBeginBranch)
                                .toList();
                        byte[] kept = begins.get(begins.size() - 1)
                                .getBeginBranch()
                                .getArguments()
                                .toByteArray();
                        assertThat(Envelope.of(kept).captured()).isEqualTo(Map.of("tenant", text));
                    }
                    Map<String, @Nullable String> nothing = new HashMap<>();
                    nothing.put("tenant", null);
                    for (Map<String, @Nullable String> wrong : List.of(nothing, Map.of("tenant", "half \uD83D"))) {
                        capturing.next = wrong;
                        assertThatThrownBy(() -> counter.run(() -> desk.take("refused")))
                                .isInstanceOf(SagaException.class)
                                .hasMessageContaining("which does not come back; the branch fails and does not run");
                    }
                });
    }

    @Test
    void texts_are_whole_unless_a_character_was_cut() {
        assertThat(Texts.isWhole("😀 ü")).isTrue();
        assertThat(Texts.isWhole("😀".substring(0, 1))).isFalse();
        assertThat("😀".substring(1).getBytes(StandardCharsets.UTF_8)).isEqualTo(new byte[] {'?'});
    }
}
