package io.alphaomega.benchmark.preset;

import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Duration;
import java.util.List;

/**
 * What {@code preset pack} does.
 *
 * @param http where the alphas answer REST; empty for their default
 * @param sagas of each row
 * @param concurrencies of the rows for each number of sagas
 * @param rounds each measures every row once
 * @param warmup before the first round, in no figure
 */
record PackPlan(
        List<String> addresses,
        List<String> http,
        List<Integer> sagas,
        List<Integer> concurrencies,
        int rounds,
        Duration warmup) {
    static final int BRANCHES = 3;

    private static final int ROUNDS_MAX = 100;

    PackPlan {
        addresses = List.copyOf(addresses);
        http = List.copyOf(http);
        sagas = List.copyOf(sagas);
        concurrencies = List.copyOf(concurrencies);
        if (rounds < 1 || rounds > ROUNDS_MAX) {
            throw new IllegalArgumentException("--rounds must be 1 to %d, but is %d.".formatted(ROUNDS_MAX, rounds));
        }
        if (warmup.isNegative()) throw new IllegalArgumentException("--warmup must be 0 or more, but is " + warmup);
    }

    List<PackTable.Row> rows() {
        return sagas.stream()
                .flatMap(each -> concurrencies.stream().map(atATime -> new PackTable.Row(each, atATime)))
                .toList();
    }

    /** @throws IllegalArgumentException if something about it is nonsense */
    LoadPlan plan(PackTable.Row row) {
        return plan(LoadPlan.Amount.sagas(row.sagas()), row.concurrency());
    }

    LoadPlan warmingUp() {
        return plan(LoadPlan.Amount.lasting(warmup), concurrencies.getFirst());
    }

    private LoadPlan plan(LoadPlan.Amount amount, int concurrency) {
        LoadPlan plan = LoadPlan.against(addresses);
        List<String> rest = http.isEmpty() ? plan.http() : http;
        return new LoadPlan(
                addresses,
                rest,
                amount,
                LoadPlan.Pace.atATime(concurrency),
                LoadPlan.Shape.ofBranches(BRANCHES),
                plan.wiring(),
                plan.seed());
    }
}
