package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a service's log says when something of its branches goes wrong: which saga, and no more than helps. */
class CallbackLogTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.alphaomega.omega.spring");

    @BeforeEach
    void listen() {
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(said);
        logger.setLevel(null);
        alpha.close();
    }

    /** The line that warns of a compensation that throws each time. */
    private ILoggingEvent warned(Consumer<Callback.Builder> asked) {
        Applications.shop(directory, alpha).run(context -> {
            Shop.Orders orders = context.getBean(Shop.Orders.class);
            context.getBean(Shop.Counter.class).run(() -> orders.order(List.of(new Shop.Item("book", 1)), "stubborn"));
            CallbackResult unused = alpha.callBack(asked);
        });
        return warnings().stream()
                .filter(line -> line.getFormattedMessage().startsWith("COMPENSATION "))
                .findFirst()
                .orElseThrow();
    }

    private List<ILoggingEvent> warnings() {
        return List.copyOf(said.list).stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .toList();
    }

    @Test
    void an_attempt_that_is_followed_by_another_is_one_line_with_saga_and_business_key() {
        ILoggingEvent line =
                warned(callback -> callback.setBusinessKey("order 17").setRetried(true));
        assertThat(line.getFormattedMessage())
                .matches(
                        "COMPENSATION Shop.Orders.cancel of branch \\S+ of saga \\S+ \\(order 17\\) failed at attempt 1;"
                                + " alpha asks again: java.lang.IllegalStateException: not today");
        assertThat(line.getThrowableProxy()).isNull();
    }

    @Test
    void the_last_attempt_has_its_stack_trace() {
        ILoggingEvent line =
                warned(callback -> callback.setBusinessKey("order 17").setAttempt(10));
        assertThat(line.getFormattedMessage()).endsWith("(order 17) failed at attempt 10:");
        assertThat(line.getThrowableProxy().getMessage()).isEqualTo("not today");
    }

    @Test
    void an_older_alpha_does_not_say_which_attempt_is_the_last_so_each_has_its_stack_trace() {
        ILoggingEvent line = warned(callback -> {});
        assertThat(line.getFormattedMessage()).doesNotContain("(").endsWith(" failed at attempt 1:");
        assertThat(line.getThrowableProxy()).isNotNull();
    }

    @Test
    void a_business_key_cannot_begin_a_line_of_the_log() {
        ILoggingEvent line = warned(callback -> callback.setBusinessKey("17\n2026 WARN all is lost"));
        assertThat(line.getFormattedMessage()).contains("(17 2026 WARN all is lost)");
    }

    // ---- what alpha has never heard of

    private static Ack.Builder unknown(Input input) {
        return Ack.newBuilder()
                .setRejected(Rejected.newBuilder()
                        .setReason("UNKNOWN_BRANCH")
                        .setText("saga " + input.getSaga() + " has no branch b"));
    }

    @Test
    void that_a_branch_which_never_began_is_unknown_to_alpha_is_nothing_to_warn_of() {
        logger.setLevel(Level.DEBUG);
        alpha.silentOn = Input::hasBeginBranch;
        alpha.answer = input -> input.hasFailBranch() ? unknown(input) : null;
        Applications.shop(directory, alpha)
                .withPropertyValues("omega.begin-timeout=100ms")
                .run(context -> {
                    Shop.Orders orders = context.getBean(Shop.Orders.class);
                    Assertions.assertThatThrownBy(() -> context.getBean(Shop.Counter.class)
                                    .run(() -> orders.order(List.of(new Shop.Item("book", 1)), "Ada")))
                            .isInstanceOf(RuntimeException.class);
                    assertThat(alpha.failed().getCause()).contains("did not run");
                    Awaitility.await()
                            .until(() -> List.copyOf(said.list).stream()
                                    .anyMatch(line -> line.getFormattedMessage().endsWith(" has no branch b")));
                });
        assertThat(warnings()).noneMatch(line -> line.getFormattedMessage().contains("Alpha refused FAIL_BRANCH"));
    }

    @Test
    void that_a_branch_which_ran_is_unknown_to_alpha_is_warned_of() {
        alpha.answer = input -> input.hasFailBranch() ? unknown(input) : null;
        Applications.shop(directory, alpha).run(context -> {
            Shop.Orders orders = context.getBean(Shop.Orders.class);
            Assertions.assertThatThrownBy(() -> context.getBean(Shop.Counter.class)
                            .run(() -> orders.order(List.of(new Shop.Item("unicorn", 1)), "Ada")))
                    .isInstanceOf(RuntimeException.class);
            Awaitility.await()
                    .until(() -> warnings().stream()
                            .anyMatch(line -> line.getFormattedMessage().contains("Alpha refused FAIL_BRANCH")));
        });
    }
}
