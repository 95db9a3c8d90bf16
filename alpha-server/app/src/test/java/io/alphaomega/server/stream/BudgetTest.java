package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final int OWN = 1_000;
    private static final int LENDABLE = 100_000;

    private final Budget budget = new Budget(10, LENDABLE);

    /** Takes as much as there is, in small pieces. */
    private Budget.Account greedy() {
        Budget.Account account = budget.open(OWN);
        while (account.take(10)) {}
        return account;
    }

    @Test
    void one_alone_is_lent_half_so_that_something_is_left_for_the_next() {
        greedy();

        assertThat(budget.lent()).isBetween(LENDABLE / 2 - 10L, LENDABLE / 2 + 10L);
    }

    @Test
    void however_many_take_as_much_as_they_may_there_is_something_left() {
        for (int i = 0; i < 9; i++) greedy();

        assertThat(budget.lent()).isLessThan(LENDABLE);
        assertThat(budget.open(OWN).take(OWN + 100)).isTrue();
    }

    @Test
    void what_each_has_of_its_own_nobody_can_take() {
        Budget nothingToLend = new Budget(10, 0);
        Budget.Account greedy = nothingToLend.open(OWN);
        assertThat(greedy.take(OWN)).isTrue();
        assertThat(greedy.take(1)).isFalse();
        assertThat(greedy.hasRoom()).isFalse();

        assertThat(nothingToLend.open(OWN).take(OWN)).isTrue();
        greedy.give(1);
        assertThat(greedy.hasRoom()).isTrue();
        assertThat(greedy.take(1)).isTrue();
    }

    @Test
    void what_is_given_back_is_lent_to_others() {
        List<Budget.Account> all = Stream.generate(this::greedy).limit(5).toList();
        assertThat(budget.open(OWN).take(OWN + LENDABLE / 3)).isFalse();

        all.forEach(Budget.Account::close);

        assertThat(budget.lent()).isZero();
        assertThat(budget.open(OWN).take(OWN + LENDABLE / 3)).isTrue();
    }

    @Test
    void what_is_there_already_counts_though_there_is_no_room_for_it() {
        Budget.Account account = budget.open(OWN);
        account.add(OWN + LENDABLE);

        assertThat(budget.lent()).isEqualTo(LENDABLE);
        assertThat(account.hasRoom()).isFalse();
    }

    @Test
    void a_larger_heap_has_room_for_more_streams_up_to_a_limit() {
        assertThat(new Budget(256L << 20).streams()).isEqualTo(341);
        assertThat(new Budget(4L << 30).streams()).isEqualTo(5_461);
        assertThat(new Budget(64L << 30).streams()).isEqualTo(Budget.STREAMS_MAX);
    }
}
