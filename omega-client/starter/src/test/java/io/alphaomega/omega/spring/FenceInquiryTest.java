package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.protocol.v1.CallbackFailure.Code;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FenceFinding;
import io.alphaomega.protocol.v1.FenceFinding.Finding;
import io.alphaomega.protocol.v1.Input;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a fence has of a branch, as alpha asks for it when its store was set back, over a real socket. */
class FenceInquiryTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    /** A service that has sold a book, and what of it a test may need. */
    private record Sold(Shop.Counter counter, Shop.Orders orders, JdbcClient database) {}

    @Test
    void what_was_committed_has_run_and_nothing_is_called_back_however_often_alpha_asks() {
        sold(service -> {
            FenceFinding first = found();
            assertThat(first.getFinding()).isEqualTo(Finding.RAN);
            assertThat(first.getAtMillis()).isEqualTo(writtenAt(service, "forward"));
            assertThat(found()).isEqualTo(first);
            assertThat(service.orders().all()).containsExactly("book ORDERED");
            assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
            assertThat(service.orders().all()).containsExactly("book CANCELLED R-Ada");
        });
    }

    @Test
    void what_was_compensated_is_undone() {
        sold(service -> {
            assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
            FenceFinding found = found();
            assertThat(found.getFinding()).isEqualTo(Finding.UNDONE);
            assertThat(found.getAtMillis()).isEqualTo(writtenAt(service, "compensation"));
        });
    }

    @Test
    void what_was_confirmed_is_confirmed() {
        sold(service -> {
            assertThat(alpha.callBack(callback -> callback.setKind(CallbackKind.CONFIRMATION))
                            .hasFailure())
                    .isFalse();
            FenceFinding found = found();
            assertThat(found.getFinding()).isEqualTo(Finding.CONFIRMED);
            assertThat(found.getAtMillis()).isEqualTo(writtenAt(service, "confirmation"));
        });
    }

    @Test
    void what_was_rolled_back_has_left_nothing_behind_and_never_will() {
        run(shop(), service -> {
            assertThatThrownBy(() -> service.counter()
                            .run(() -> service.orders().order(List.of(new Shop.Item("unicorn", 1)), "Ada")))
                    .isInstanceOf(Shop.OutOfStock.class);
            assertThat(found().getFinding()).isEqualTo(Finding.NEVER_RAN);
            assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
            assertThat(found().getFinding()).isEqualTo(Finding.NEVER_RAN);
        });
    }

    @Test
    void nobody_can_tell_what_became_of_a_branch_whose_row_may_have_been_purged() {
        long retention = Duration.ofDays(90).toMillis();
        sold(service -> {
            service.database()
                    .sql("delete from omega_fence where op = 'forward'")
                    .update();
            FenceFinding found = inquired(callback -> callback.setBegunMillisAgo(retention));
            assertThat(found.getFinding()).isEqualTo(Finding.UNKNOWN);
            assertThat(found.getText())
                    .isEqualTo("the fence has no row of it, but the branch is PT2160H old, and rows are deleted after"
                            + " omega.fence.retention, PT2160H");
            assertThat(inquired(callback -> callback.setBegunMillisAgo(retention - 1))
                            .getFinding())
                    .isEqualTo(Finding.NO_ROW);
        });
    }

    @Test
    void another_fence_says_nothing_of_the_branch() {
        sold(service -> assertFailed(
                alpha.inquire(callback -> callback.setFence("0123456789abcdef")),
                Code.FENCE_ROW_MISSING,
                "the branch began behind the fence"));
    }

    @Test
    void a_version_without_the_callback_says_so() {
        sold(service -> assertFailed(
                alpha.inquire(callback -> callback.setInquired("Orders.revoke")),
                Code.UNKNOWN_CALLBACK,
                "offers no callback 'Orders.revoke'"));
    }

    @Test
    void an_instance_without_a_fence_says_so() {
        run(shop().withPropertyValues("omega.fence.enabled=false"), service -> {
            service.counter().sell("book");
            assertFailed(
                    alpha.inquire(callback -> {}), Code.OTHER_FENCE, "this instance has no fence for its callback");
        });
    }

    @Test
    void a_fence_that_cannot_be_read_is_asked_again() {
        sold(service -> {
            service.database().sql("alter table omega_fence rename to away").update();
            assertFailed(alpha.inquire(callback -> {}), Code.THREW, "What became of branch");
            service.database().sql("alter table away rename to omega_fence").update();
            assertThat(found().getFinding()).isEqualTo(Finding.RAN);
        });
    }

    private ApplicationContextRunner shop() {
        return Applications.shop(directory, alpha);
    }

    private void sold(Consumer<Sold> test) {
        run(shop(), service -> {
            service.counter().sell("book");
            test.accept(service);
        });
    }

    private static void run(ApplicationContextRunner application, Consumer<Sold> test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(new Sold(
                    context.getBean(Shop.Counter.class),
                    context.getBean(Shop.Orders.class),
                    context.getBean(JdbcClient.class)));
        });
    }

    private FenceFinding found() {
        return inquired(callback -> {});
    }

    private FenceFinding inquired(Consumer<io.alphaomega.protocol.v1.Callback.Builder> more) {
        CallbackResult result = alpha.inquire(more);
        assertThat(result.hasFailure()).as(result::toString).isFalse();
        assertThat(result.getKind()).isEqualTo(CallbackKind.INQUIRY);
        assertThat(result.getBranch())
                .isEqualTo(
                        alpha.only(Input.KindCase.BEGIN_BRANCH).getBeginBranch().getBranch());
        return result.getFound();
    }

    private static long writtenAt(Sold service, String op) {
        return service.database()
                .sql("select created_at from omega_fence where op = ?")
                .param(op)
                .query(Long.class)
                .single();
    }

    private static void assertFailed(CallbackResult result, Code code, String sentence) {
        assertThat(result.getFailure().getCode()).as(result::toString).isEqualTo(code);
        assertThat(result.getFailure().getCause()).contains(sentence);
    }
}
