package io.alphaomega.samples.shop.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.shop.campaign.Blow.Strike;
import io.alphaomega.samples.shop.campaign.Checker.Evidence;
import io.alphaomega.samples.shop.campaign.Customers.Told;
import io.alphaomega.samples.shop.campaign.Effects.Histories;
import io.alphaomega.samples.shop.campaign.Nemesis.Death;
import io.alphaomega.samples.shop.campaign.Sagas.Saga;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the campaign could have seen. One order is committed, and a gift; one was called off. */
class CheckerTest {
    private static final Instant BEGUN = Instant.EPOCH;

    private final Map<String, Map<String, List<String>>> effects = new HashMap<>(Map.of(
            "good",
            new HashMap<>(Map.of(
                    "entry", List.of("ENTERED"),
                    "reservation", List.of("HELD", "TAKEN"),
                    "payment", List.of("CHARGED"),
                    "parcel", List.of("PACKED"),
                    "box", List.of("HELD", "TAKEN"),
                    "card", List.of("PRINTED"))),
            "bad",
            new HashMap<>(Map.of(
                    "entry", List.of("ENTERED", "STRUCK"),
                    "reservation", List.of("HELD", "RELEASED"),
                    "payment", List.of("CHARGED", "REFUNDED"),
                    "box", List.of("HELD", "RELEASED")))));

    private final Map<String, Long> mails = new HashMap<>(Map.of("good", 1L));
    private final List<Saga> sagas = new ArrayList<>(List.of(
            saga("good", "COMMITTED", "StockDesk.reserve", "Cashier.charge"),
            saga("bad", "COMPENSATED", "StockDesk.reserve", "Cashier.charge")));
    private final List<Told> told = new ArrayList<>(List.of(
            new Told("good", true, 504, ""),
            new Told("good", true, 202, "OPEN"),
            new Told("bad", false, 409, ""),
            new Told("never", true, 503, "")));
    private final List<Death> deaths = new ArrayList<>();

    @Test
    void what_is_whole_is_whole() {
        assertThat(findings()).isEmpty();
    }

    @Test
    void what_is_done_twice_or_after_its_compensation_is_found() {
        effect("good", "payment", "CHARGED", "CHARGED");
        effect("bad", "entry", "ENTERED", "STRUCK", "STRUCK");
        effect("bad", "reservation", "HELD", "RELEASED", "RELEASED");
        effect("bad", "parcel", "PACKED", "UNPACKED", "PACKED");
        assertThat(findings())
                .containsExactly(
                        "Order bad is called off, but its entry was [ENTERED, STRUCK, STRUCK].",
                        "Order bad is called off, but its reservation was [HELD, RELEASED, RELEASED].",
                        "Order bad is called off, but its parcel was [PACKED, UNPACKED, PACKED].",
                        "Order good is committed, but its payment was [CHARGED, CHARGED].");
    }

    @Test
    void what_is_missing_or_left_is_found() {
        effect("good", "parcel");
        effect("bad", "payment", "CHARGED");
        effect("bad", "card", "PRINTED");
        assertThat(findings())
                .containsExactly(
                        "Order bad is called off, but its payment was [CHARGED].",
                        "Order bad is called off, but of its gift the box was [HELD, RELEASED] and the card was [PRINTED].",
                        "Order good is committed, but its parcel was [].");
    }

    @Test
    void a_gift_may_fail_alone_but_not_by_halves() {
        effect("good", "card", "PRINTED", "DISCARDED");
        assertThat(findings())
                .containsExactly(
                        "Order good is committed, but of its gift the box was [HELD, TAKEN] and the card was [PRINTED, DISCARDED].");
        effect("good", "box", "HELD", "RELEASED");
        assertThat(findings()).isEmpty();
    }

    @Test
    void what_a_saga_of_which_alpha_does_not_know_has_left_is_found() {
        sagas.removeLast();
        effect("bad", "payment", "CHARGED");
        assertThat(findings()).containsExactly("Order bad is called off, but its payment was [CHARGED].");
    }

    @Test
    void a_mail_too_many_is_found_unless_its_writer_has_died_meanwhile() {
        String two = "Order good is committed, but has 2 mails; who writes them died 0 times meanwhile.";
        mails.put("good", 2L);
        assertThat(findings()).containsExactly(two);
        deaths.add(new Death(Target.STOCK, BEGUN.plusSeconds(1)));
        deaths.add(new Death(Target.PAYMENT, BEGUN.plusSeconds(9)));
        assertThat(findings()).containsExactly(two);
        deaths.add(new Death(Target.PAYMENT_DATA, BEGUN.plusSeconds(1)));
        assertThat(findings()).isEmpty();
        mails.put("bad", 1L);
        mails.remove("good");
        assertThat(findings())
                .containsExactly(
                        "Order bad is called off, but has 1 mails; who writes them died 1 times meanwhile.",
                        "Order good is committed, but has 0 mails; who writes them died 1 times meanwhile.");
    }

    @Test
    void a_saga_that_is_not_over_or_twice_the_same_is_found() {
        sagas.set(1, saga("bad", "SUSPENDED", "Packer.pack", "Packer.pack"));
        sagas.add(saga("good", "COMMITTED"));
        assertThat(findings())
                .containsExactly(
                        "Saga of-bad of order bad is SUSPENDED: why",
                        "Saga of-bad has 2 branches of Packer.pack, order bad.",
                        "Order good has two sagas, of-good and of-good.");
    }

    @Test
    void a_customer_who_was_not_told_the_truth_is_found() {
        told.clear();
        told.add(new Told("good", false, 200, "COMMITTED"));
        told.add(new Told("good", true, 502, ""));
        told.add(new Told("bad", true, 200, "COMMITTED"));
        told.add(new Told("never", true, 202, "OPEN"));
        assertThat(findings())
                .containsExactly(
                        "Order good is committed, although it is impossible.",
                        "Order good is committed, but its customer was told 502 .",
                        "Order bad is called off, but its customer was told 200 COMMITTED.",
                        "Order never is unknown, but its customer was told 202 OPEN.");
    }

    @Test
    void a_seed_decides_the_blows_of_which_each_kind_comes_as_often() {
        List<Blow> blows = Blow.schedule(7, 3 * Blow.round());
        assertThat(blows)
                .isEqualTo(Blow.schedule(7, 3 * Blow.round()))
                .isNotEqualTo(Blow.schedule(8, 3 * Blow.round()));
        Map<Strike, Long> first = blows.stream()
                .collect(Collectors.groupingBy(blow -> blow.strikes().getFirst(), Collectors.counting()));
        assertThat(first.values()).allMatch(times -> times % 3 == 0);
        assertThat(blows).anyMatch(blow -> blow.strikes().size() == 2);
    }

    private void effect(String order, String what, String... states) {
        Objects.requireNonNull(effects.get(order)).put(what, List.of(states));
    }

    private static Saga saga(String order, String state, String... calls) {
        return new Saga("of-" + order, Checker.ORDER, order, state, BEGUN, BEGUN.plusSeconds(5), List.of(calls), "why");
    }

    private List<String> findings() {
        return Checker.findings(new Evidence(new Histories(effects), mails, sagas, told, deaths));
    }
}
