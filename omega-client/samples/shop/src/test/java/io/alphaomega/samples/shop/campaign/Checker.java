package io.alphaomega.samples.shop.campaign;

import io.alphaomega.samples.shop.campaign.Customers.Told;
import io.alphaomega.samples.shop.campaign.Effects.Histories;
import io.alphaomega.samples.shop.campaign.Nemesis.Death;
import io.alphaomega.samples.shop.campaign.Sagas.Saga;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether each order was done once and whole, or undone once and whole, and nothing of it after its compensation; and whether
 * customers were told the truth. It knows nothing of alpha's code, nor of omega's.
 */
final class Checker {
    static final String ORDER = "OrderService.place";
    private static final Set<Target> WRITE_MAILS = Set.of(Target.PAYMENT, Target.PAYMENT_DATA);

    /** What happens to one thing of an order, once it is done, and if it is undone after that. */
    private record Course(String what, List<String> done, List<String> undone) {
        boolean isDone(List<String> states) {
            return states.equals(done);
        }

        boolean isUndone(List<String> states) {
            return states.isEmpty() || states.equals(undone);
        }
    }

    private static final List<Course> OF_EVERY_ORDER = List.of(
            new Course("entry", List.of("ENTERED"), List.of("ENTERED", "STRUCK")),
            new Course("reservation", List.of("HELD", "TAKEN"), List.of("HELD", "RELEASED")),
            new Course("payment", List.of("CHARGED"), List.of("CHARGED", "REFUNDED")),
            new Course("parcel", List.of("PACKED"), List.of("PACKED", "UNPACKED")));

    private static final List<Course> OF_A_GIFT = List.of(
            new Course("box", List.of("HELD", "TAKEN"), List.of("HELD", "RELEASED")),
            new Course("card", List.of("PRINTED"), List.of("PRINTED", "DISCARDED")));

    private final Evidence evidence;
    private final Map<String, Saga> sagas = new HashMap<>();
    private final List<String> findings = new ArrayList<>();

    /**
     * What is known when everything is over.
     *
     * @param mails how many there are about each order
     */
    record Evidence(
            Histories effects, Map<String, Long> mails, List<Saga> sagas, List<Told> told, List<Death> deaths) {}

    private Checker(Evidence evidence) {
        this.evidence = evidence;
    }

    /** A sentence on each thing that must not be. */
    static List<String> findings(Evidence evidence) {
        Checker checker = new Checker(evidence);
        evidence.sagas().forEach(checker::checkSaga);
        Set<String> orders = new TreeSet<>(checker.sagas.keySet());
        orders.addAll(evidence.effects().byOrder().keySet());
        orders.addAll(evidence.mails().keySet());
        orders.forEach(checker::checkOrder);
        evidence.told().forEach(checker::checkTold);
        return checker.findings;
    }

    private void find(String sentence) {
        findings.add(sentence);
    }

    private void checkSaga(Saga saga) {
        if (!saga.isOver())
            find("Saga %s of order %s is %s: %s".formatted(saga.id(), saga.order(), saga.state(), saga.text()));
        if (saga.operation().equals(ORDER)) {
            Saga other = sagas.put(saga.order(), saga);
            if (other != null)
                find("Order %s has two sagas, %s and %s.".formatted(saga.order(), saga.id(), other.id()));
        }
        for (String call : new TreeSet<>(saga.calls())) {
            int times = Collections.frequency(saga.calls(), call);
            if (times > 1)
                find("Saga %s has %d branches of %s, order %s.".formatted(saga.id(), times, call, saga.order()));
        }
    }

    private boolean isCommitted(String order) {
        Saga saga = sagas.get(order);
        return saga != null && saga.state().equals("COMMITTED");
    }

    private void checkOrder(String order) {
        boolean committed = isCommitted(order);
        for (Course course : OF_EVERY_ORDER) {
            List<String> states = evidence.effects().of(order, course.what());
            if (committed ? course.isDone(states) : course.isUndone(states)) continue;
            find("Order %s is %s, but its %s was %s.".formatted(order, said(committed), course.what(), states));
        }
        boolean whole = OF_A_GIFT.stream()
                .allMatch(course -> course.isDone(evidence.effects().of(order, course.what())));
        boolean none = OF_A_GIFT.stream()
                .allMatch(course -> course.isUndone(evidence.effects().of(order, course.what())));
        if (!none && !(whole && committed)) {
            find("Order %s is %s, but of its gift %s."
                    .formatted(
                            order,
                            said(committed),
                            OF_A_GIFT.stream()
                                    .map(course -> "the %s was %s"
                                            .formatted(
                                                    course.what(),
                                                    evidence.effects().of(order, course.what())))
                                    .collect(Collectors.joining(" and "))));
        }
        checkMails(order, committed);
    }

    /** Who dies after he has written a mail, and before that is committed, writes it again: so the sample says. */
    private void checkMails(String order, boolean committed) {
        long mails = evidence.mails().getOrDefault(order, 0L);
        if (mails == (committed ? 1 : 0)) return;
        Saga saga = sagas.get(order);
        long deaths = saga == null ? 0 : deathsDuring(saga);
        if (committed && mails > 1 && mails <= 1 + deaths) return;
        find("Order %s is %s, but has %d mails; who writes them died %d times meanwhile."
                .formatted(order, said(committed), mails, deaths));
    }

    private long deathsDuring(Saga saga) {
        return evidence.deaths().stream()
                .filter(death -> WRITE_MAILS.contains(death.target()))
                .filter(death -> death.at().isAfter(saga.begun()) && death.at().isBefore(saga.changed()))
                .count();
    }

    /** 409 and 502 say that the order is called off; others say how it is decided, if they know. */
    private void checkTold(Told told) {
        boolean committed = isCommitted(told.order());
        if (committed && !told.possible())
            find("Order %s is committed, although it is impossible.".formatted(told.order()));
        boolean calledOff =
                told.status() == 409 || told.status() == 502 || told.state().equals("ABORTED");
        boolean lie = (calledOff && committed)
                || (told.state().equals("COMMITTED") && !committed)
                || (told.status() == 202 && !sagas.containsKey(told.order()));
        if (lie) {
            find("Order %s is %s, but its customer was told %d %s."
                    .formatted(
                            told.order(),
                            sagas.containsKey(told.order()) ? said(committed) : "unknown",
                            told.status(),
                            told.state()));
        }
    }

    private static String said(boolean committed) {
        return committed ? "committed" : "called off";
    }
}
