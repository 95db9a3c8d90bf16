package io.alphaomega.benchmark.preset;

import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code preset dtm} does.
 *
 * @param addresses of alphas
 * @param database where the business keeps its books; null for empty businesses only
 * @param rounds each measures every row once, so that what disturbs the machine disturbs all of them alike
 * @param duration of one row in one round
 * @param warmup before the first round, for the JVMs; each row has its own short one as well
 */
record DtmPlan(
        List<String> addresses,
        @Nullable Database database,
        int concurrency,
        int rounds,
        Duration duration,
        Duration warmup) {
    /** As many threads and connections per service. */
    private static final int CONCURRENCY_MAX = 1_000;

    private static final int ROUNDS_MAX = 100;
    private static final Duration DURATION_MAX = Duration.ofHours(1);

    /** A MySQL or MariaDB server and a database on it. */
    record Database(String url, String user, String password) {
        private static final String SCHEME = "jdbc:mariadb:";

        /** Of MySQL's own driver; MariaDB's, which is the one here, speaks with both servers and knows only its own. */
        private static final String MYSQL_SCHEME = "jdbc:mysql:";

        Database {
            require(
                    url.startsWith(SCHEME) || url.startsWith(MYSQL_SCHEME),
                    "--mysql-url",
                    "a URL such as jdbc:mariadb://127.0.0.1:3306/benchmark",
                    url);
            if (url.startsWith(MYSQL_SCHEME)) url = SCHEME + url.substring(MYSQL_SCHEME.length());
        }
    }

    DtmPlan {
        addresses = LoadPlan.against(addresses).addresses(); // Which refuses what is no address.
        require(concurrency >= 1 && concurrency <= CONCURRENCY_MAX, "-c", "1 to " + CONCURRENCY_MAX, concurrency);
        require(rounds >= 1 && rounds <= ROUNDS_MAX, "--rounds", "1 to " + ROUNDS_MAX, rounds);
        require(
                duration.isPositive() && duration.compareTo(DURATION_MAX) <= 0,
                "--duration",
                "more than 0 and at most " + DURATION_MAX,
                duration);
        require(
                !warmup.isNegative() && warmup.compareTo(DURATION_MAX) <= 0,
                "--warmup",
                "0 to " + DURATION_MAX,
                warmup);
    }

    /** The rows of the table, in the order in which each round measures them: next to its like without a coordinator. */
    List<BusinessWork> works() {
        List<BusinessWork> works = new ArrayList<>(List.of(BusinessWork.EMPTY));
        if (database == null) return works;
        for (int sql : new int[] {2, 10}) {
            works.add(new BusinessWork(sql, false, false));
            works.add(new BusinessWork(sql, false, true));
            works.add(new BusinessWork(sql, true, true));
        }
        return works;
    }

    private static void require(boolean good, String option, String expected, Object found) {
        if (!good) throw new IllegalArgumentException("%s must be %s, but is %s.".formatted(option, expected, found));
    }
}
