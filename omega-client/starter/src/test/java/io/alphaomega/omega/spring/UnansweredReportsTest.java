package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.RunningShop.calledByAnother;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Unavailable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.util.StringUtils;

/** Reports of what has happened are kept while alpha has no answer to them. */
@ExtendWith(OutputCaptureExtension.class)
class UnansweredReportsTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private volatile boolean busy = true;

    private ApplicationContextRunner shop() {
        alpha.answer = input -> {
            if (!input.hasEndBranch()) return null;
            if (busy)
                return Ack.newBuilder().setUnavailable(Unavailable.newBuilder().setRetryAfterMillis(50));
            ended.add(input.getEndBranch().getBranch());
            return null;
        };
        return Applications.shop(directory, alpha)
                .withPropertyValues(
                        "omega.alpha.unanswered-inputs=2", "omega.ack-timeout=100ms", "omega.saga.begin=EAGER");
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void the_ends_of_branches_that_joined_a_transaction_wait_for_room_and_are_told() {
        RunningShop.run(shop(), app -> {
            app.counter()
                    .open(calledByAnother(() -> app.transaction().executeWithoutResult(status -> orderThree(app))));
            assertThat(ended).isEmpty();
            busy = false;
            await().untilAsserted(() -> assertThat(ended).hasSize(3));
        });
    }

    @Test
    void what_alpha_has_not_answered_is_told_while_the_service_stops_if_alpha_is_back_in_time(CapturedOutput output) {
        RunningShop.run(
                shop().withPropertyValues("omega.drain-timeout=2m")
                        .withInitializer(context -> context.addApplicationListener(
                                event -> busy &= !(event instanceof ContextClosedEvent))),
                app -> app.counter()
                        .open(calledByAnother(
                                () -> app.transaction().executeWithoutResult(status -> orderThree(app)))));
        assertThat(ended).hasSize(3);
        assertThat(output).doesNotContain("This service stopped");
    }

    @Test
    void a_service_that_stops_counts_what_alpha_has_not_answered_in_one_line(CapturedOutput output) {
        RunningShop.run(
                shop(),
                app -> app.counter()
                        .open(calledByAnother(
                                () -> app.transaction().executeWithoutResult(status -> orderThree(app)))));
        assertThat(output)
                .contains("stopped after PT0.1S (omega.drain-timeout) with 3 reports")
                .doesNotContain("Alpha never answered");
        assertThat(StringUtils.countOccurrencesOf(output.getAll(), "This service stopped"))
                .isEqualTo(1);
        assertThat(alpha.inputs()).anyMatch(Input::hasEndBranch);
    }

    private static void orderThree(RunningShop app) {
        for (String item : List.of("a", "b", "c")) app.orders().order(List.of(new Shop.Item(item, 1)), "Ada");
    }
}
