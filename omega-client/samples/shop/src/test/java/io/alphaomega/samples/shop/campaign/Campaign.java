package io.alphaomega.samples.shop.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.samples.shop.campaign.Checker.Evidence;
import io.alphaomega.samples.shop.campaign.Customers.Told;
import io.alphaomega.samples.shop.campaign.Sagas.Saga;
import io.alphaomega.samples.shop.demo.Audit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/** Blow after blow to a shop with customers; when it is quiet, everything that was promised must be so. */
final class Campaign {
    private static final int ORDERS_BETWEEN_BLOWS = 5;
    private static final int PROGRESS_EVERY = 10;

    /** Ten times as long as an order may take, for all that was put off again and again meanwhile. */
    private static final Duration SETTLES = Duration.ofMinutes(10);

    /** Of the kind of which there are thousands if it goes wrong. */
    private static final int SHOWN = 40;

    private final String name;
    private final long seed;
    private final Stage stage;
    private final List<String> findings = new ArrayList<>();

    Campaign(String name, long seed, Stage stage) {
        this.name = name;
        this.seed = seed;
        this.stage = stage;
    }

    /** Strikes them one by one, none any more when the time is over; what was found then. */
    List<String> survive(List<Blow> blows, Duration limit) {
        Nemesis nemesis = new Nemesis(stage);
        Effects effects = new Effects(stage);
        effects.watch();
        try (Customers customers = new Customers(stage)) {
            customers.start(seed);
            flows("at first");
            int struck = strike(blows, limit, nemesis, customers);
            customers.stop();
            judge(blows.subList(0, struck), nemesis, customers, effects);
        }
        return List.copyOf(findings);
    }

    /** How many it came to. */
    private int strike(List<Blow> blows, Duration limit, Nemesis nemesis, Customers customers) {
        long began = System.nanoTime();
        for (int number = 1; number <= blows.size(); number++) {
            Duration passed = Duration.ofNanos(System.nanoTime() - began);
            if (number % PROGRESS_EVERY == 1) {
                say("%d of %d blows in %d s, answers %s"
                        .formatted(number - 1, blows.size(), passed.toSeconds(), customers.answers()));
            }
            if (passed.compareTo(limit) > 0) return number - 1;
            Blow blow = blows.get(number - 1);
            say("blow %d: %s".formatted(number, blow));
            try {
                nemesis.strike(blow);
            } catch (RuntimeException surprise) {
                find("Blow %d, %s, could not be mended, so that it was the last: %s".formatted(number, blow, surprise));
                return number - 1;
            }
            stage.gone().forEach(this::find);
            flows("after blow %d, %s,".formatted(number, blow));
        }
        return blows.size();
    }

    /** Through all services, the broker and alpha to the mail, which is the last that happens to an order. */
    private void flows(String when) {
        long before = stage.mails();
        try {
            await().atMost(Patience.LIMIT).until(() -> stage.mails() >= before + ORDERS_BETWEEN_BLOWS);
        } catch (ConditionTimeoutException stuck) {
            find("%s the shop carried out %d of %d orders within %s."
                    .formatted(when, stage.mails() - before, ORDERS_BETWEEN_BLOWS, Patience.LIMIT));
        }
    }

    private void judge(List<Blow> struck, Nemesis nemesis, Customers customers, Effects effects) {
        Sagas alpha = new Sagas(stage.web, stage.at.alpha());
        List<String> open = alpha.awaitNoneOpen(SETTLES);
        if (!open.isEmpty()) say("%d sagas are still open after %s: %s".formatted(open.size(), SETTLES, open));
        List<Told> told = customers.told();
        Set<String> placed = told.stream().map(Told::order).collect(Collectors.toSet());
        List<Saga> sagas = alpha.all();
        try {
            Audit audit = Audit.of(stage.web, stage.at, placed, true);
            Evidence evidence =
                    new Evidence(effects.read(), Audit.mails(stage.at.mails()), sagas, told, nemesis.deaths());
            Checker.findings(evidence).forEach(this::find);
            audit.findings().forEach(this::find);
            say(audit.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        say("seed %d, %d blows: %s".formatted(seed, struck.size(), kinds(struck)));
        say("%d sagas: %s".formatted(sagas.size(), states(sagas)));
        say("answers %s; %d findings".formatted(customers.answers(), findings.size()));
    }

    private static Map<String, Long> kinds(List<Blow> struck) {
        return struck.stream()
                .flatMap(blow -> blow.strikes().stream())
                .collect(Collectors.groupingBy(Blow.Strike::toString, TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Long> states(List<Saga> sagas) {
        return sagas.stream()
                .collect(Collectors.groupingBy(
                        saga -> saga.operation() + " " + saga.state(), TreeMap::new, Collectors.counting()));
    }

    private void find(String finding) {
        if (findings.size() < SHOWN) say("FOUND: %s".formatted(finding));
        findings.add(finding);
    }

    private void say(String sentence) {
        System.out.printf("%s: %s%n", name, sentence);
    }
}
