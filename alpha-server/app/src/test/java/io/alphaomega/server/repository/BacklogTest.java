package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final int KIB = 1_024;

    /** Sixteen items a batch, of which begins may count on two. */
    private final Backlog backlog = new Backlog(new GroupCommit.Limits(1, 16, 64 * KIB, 40, 256 * KIB));

    @Test
    void what_runs_is_written_first_and_what_begins_fills_the_batch() {
        begin(20);
        run(10);
        assertThat(next())
                .startsWith("r0", "r1", "r2")
                .endsWith("b3", "b4", "b5")
                .hasSize(16);
        assertThat(next()).startsWith("b6").hasSize(14);
        assertThat(backlog.isEmpty()).isTrue();
        assertThat(backlog.bytes()).isZero();
    }

    @Test
    void begins_have_a_share_of_every_batch_so_that_they_do_not_starve() {
        begin(3);
        run(30);
        assertThat(next()).startsWith("r0").endsWith("r13", "b0", "b1").hasSize(16);
        assertThat(next()).startsWith("r14").endsWith("r28", "b2").hasSize(16);
        assertThat(next()).containsExactly("r29");
    }

    @Test
    void a_begin_that_is_larger_than_its_share_waits_for_one_batch() {
        add(GatedRepository.append("huge", 60 * KIB));
        for (int i = 0; i < 4; i++) add(GatedRepository.running("r" + i, 25 * KIB));
        assertThat(next()).containsExactly("r0", "r1");
        assertThat(next()).containsExactly("huge");
        assertThat(next()).containsExactly("r2", "r3");
    }

    @Test
    void where_a_batch_is_too_small_for_a_share_begins_take_turns() {
        Backlog narrow = new Backlog(new GroupCommit.Limits(1, 1, 64 * KIB, 40, 256 * KIB));
        for (int i = 0; i < 2; i++) narrow.add(item(GatedRepository.append("b" + i)));
        for (int i = 0; i < 2; i++) narrow.add(item(GatedRepository.running("r" + i)));
        List<String> order = new ArrayList<>();
        while (!narrow.isEmpty()) order.addAll(ids(narrow.takeBatch()));
        assertThat(order).containsExactly("r0", "b0", "r1", "b1");
    }

    @Test
    void appends_of_one_saga_keep_their_order_whatever_they_expect() {
        add(GatedRepository.running("other"));
        add(GatedRepository.append("s"));
        add(GatedRepository.running("s"));
        add(GatedRepository.running("late"));
        add(GatedRepository.append("late"));
        assertThat(taken())
                .containsExactly(
                        GatedRepository.running("other"),
                        GatedRepository.running("late"),
                        GatedRepository.append("late"),
                        GatedRepository.append("s"),
                        GatedRepository.running("s"));
    }

    @Test
    void a_saga_that_waits_no_longer_may_wait_in_the_other_line() {
        add(GatedRepository.append("s"));
        next();
        begin(1);
        add(GatedRepository.running("s"));
        assertThat(next()).containsExactly("s", "b0");
    }

    @Test
    void begins_fit_into_half_of_the_room_and_what_runs_into_all_of_it() {
        Backlog.Item begin = item(GatedRepository.append("one-more"));
        Backlog.Item run = item(GatedRepository.running("one-more"));
        begin(10);
        run(9);
        assertThat(backlog.fits(begin)).isTrue();
        run(1);
        assertThat(backlog.fits(begin)).isFalse();
        assertThat(backlog.fits(run)).isTrue();
        run(20);
        assertThat(backlog.fits(run)).isFalse();
    }

    @Test
    void bytes_are_room_too_and_what_is_alone_always_fits() {
        Backlog.Item begin = item(GatedRepository.append("b", 100 * KIB));
        Backlog.Item run = item(GatedRepository.running("r", 100 * KIB));
        assertThat(backlog.fits(item(GatedRepository.append("alone", 1_000 * KIB))))
                .isTrue();
        backlog.add(run);
        assertThat(backlog.fits(begin)).isFalse();
        assertThat(backlog.fits(run)).isTrue();
        backlog.add(run);
        assertThat(backlog.fits(run)).isFalse();
    }

    @Test
    void the_oldest_is_the_oldest_of_both_lines() {
        assertThat(backlog.oldest()).isNull();
        begin(1);
        run(1);
        assertThat(backlog.oldest())
                .satisfies(item -> assertThat(item.append().id()).isEqualTo(new SagaId("b0")));
    }

    private void begin(int count) {
        for (int i = 0; i < count; i++) add(GatedRepository.append("b" + i));
    }

    private void run(int count) {
        for (int i = 0; i < count; i++) add(GatedRepository.running("r" + i));
    }

    private void add(Append append) {
        backlog.add(item(append));
    }

    private List<String> next() {
        return ids(backlog.takeBatch());
    }

    private List<Append> taken() {
        return backlog.takeBatch().stream().map(Backlog.Item::append).toList();
    }

    private static List<String> ids(List<Backlog.Item> items) {
        return items.stream().map(item -> item.append().id().value()).toList();
    }

    private static Backlog.Item item(Append append) {
        return Backlog.Item.of(append, new GroupCommit.Promise());
    }
}
