package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.ValueDesk.Value;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.test.util.AopTestUtils;

/** Values of many types, as arguments and results: each comes back as it was, or the method does not run. */
class ValueMatrixTest {
    @TempDir
    Path directory;

    @Test
    void a_value_of_javas_comes_back_as_it_was_or_is_refused() throws Exception {
        comeBackOrAreRefused(JavaValues.scalars());
        comeBackOrAreRefused(JavaValues.times());
        comeBackOrAreRefused(JavaValues.containers());
        comeBackOrAreRefused(MoreValues.rare());
    }

    @Test
    void a_value_of_the_applications_comes_back_as_it_was_whatever_json_shows_of_it() {
        comeBackOrAreRefused(ClassValues.all());
        comeBackOrAreRefused(AnnotatedValues.all());
        comeBackOrAreRefused(MoreValues.built());
    }

    @Test
    void so_does_one_whose_type_says_little_of_it() {
        comeBackOrAreRefused(MoreValues.untyped());
    }

    @Test
    void so_do_the_keys_of_maps() {
        comeBackOrAreRefused(MoreValues.keys());
    }

    @Test
    void what_leads_back_to_itself_or_goes_too_deep_is_refused() {
        comeBackOrAreRefused(MoreValues.rings());
    }

    @Test
    void a_type_that_nothing_could_read_again_keeps_the_service_from_starting_or_is_refused() {
        for (Value each : MoreValues.never()) {
            try (SmallAlpha alpha = new SmallAlpha()) {
                Applications.shop(directory, alpha).withBean(each.desk()).run(context -> {
                    if (context.getStartupFailure() != null) {
                        Applications.assertRefused(context, "ValueDesk.take", "could never be read again");
                    } else {
                        assertThat(undone(context, alpha, each))
                                .as(each.toString())
                                .isEmpty();
                    }
                });
            }
        }
    }

    private void comeBackOrAreRefused(List<Value> values) {
        try (SmallAlpha alpha = new SmallAlpha()) {
            ApplicationContextRunner shop = Applications.shop(directory, alpha);
            for (Class<? extends ValueDesk<?>> desk :
                    values.stream().map(Value::desk).distinct().toList()) {
                shop = shop.withBean(desk);
            }
            shop.run(context -> {
                assertThat(context).hasNotFailed();
                List<String> wrong = new ArrayList<>();
                for (Value each : values) {
                    String found = undone(context, alpha, each);
                    if (!found.isEmpty()) wrong.add(each + ": " + found);
                }
                assertThat(wrong).isEmpty();
            });
        }
    }

    /** What is wrong with it; empty for nothing. */
    private static String undone(ApplicationContext context, SmallAlpha alpha, Value value) {
        @SuppressWarnings("unchecked")
        ValueDesk<Object> desk = (ValueDesk<Object>) context.getBean(value.desk());
        ValueDesk<Object> target = AopTestUtils.getUltimateTargetObject(desk);
        Shop.Counter counter = context.getBean(Shop.Counter.class);
        int before = target.takes();
        Throwable thrown = catchThrowable(() -> counter.run(() -> desk.take(value.value())));
        if (thrown != null) {
            boolean ran = target.takes() > before;
            boolean named = thrown instanceof SagaException
                    && String.valueOf(thrown.getMessage()).contains("take");
            return value.kept() || ran || !named ? "refused, " + (ran ? "though it ran: " : "") + thrown : "";
        }
        if (!value.kept()) return "kept";
        CallbackResult result = alpha.call(callback -> compensationOfTheLast(alpha, callback));
        if (result.hasFailure()) return "not undone: " + result.getFailure();
        String argument = difference(value.value(), target.undone());
        return argument.isEmpty() ? difference(value.value(), target.undoneResult()) : argument;
    }

    private static void compensationOfTheLast(SmallAlpha alpha, Callback.Builder callback) {
        List<Input> begins =
                alpha.inputs().stream().filter(Input::hasBeginBranch).toList();
        Input last = begins.get(begins.size() - 1);
        callback.setSaga(last.getSaga())
                .setBranch(last.getBeginBranch().getBranch())
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(1)
                .setName(last.getBeginBranch().getCompensation().getName())
                .setArguments(last.getBeginBranch().getArguments())
                .setFenced(last.getBeginBranch().getFenced())
                .setForwardEnded(true);
    }

    private static String difference(@Nullable Object value, @Nullable Object back) {
        Throwable difference = catchThrowable(() -> {
            if (value != null) assertThat(back).isNotNull();
            assertThat(back)
                    .usingRecursiveComparison()
                    .withEqualsForType(Double::equals, Double.class)
                    .withEqualsForType(Float::equals, Float.class)
                    .withEqualsForType(
                            (one, other) -> one.pattern().equals(other.pattern()) && one.flags() == other.flags(),
                            Pattern.class)
                    .withEqualsForType((one, other) -> one.compareTo(other) == 0, StringBuilder.class)
                    .withEqualsForType(MoreValues.Below::equals, MoreValues.Below.class)
                    .isEqualTo(value);
        });
        return difference == null ? "" : difference.toString();
    }
}
