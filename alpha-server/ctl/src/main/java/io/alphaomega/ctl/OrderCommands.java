package io.alphaomega.ctl;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Ordering what alpha shall do with one saga: on the saga as it was looked at just before, or not at all. */
final class OrderCommands {
    private OrderCommands() {}

    /** What every order has. */
    static final class Order {
        @Mixin
        private Options options = new Options();

        @Parameters(paramLabel = "ID", description = "The saga's id.")
        private String id = "";

        @Mixin
        private Signature signature = new Signature();

        @Option(
                names = "--sequence",
                paramLabel = "N",
                description = "How many events the saga had when you looked at it; as it is now.")
        private @Nullable Long sequence;

        int give(String name, ObjectNode order) {
            return give(name, order, options.api());
        }

        /** Says beforehand which services the saga will wait for, since no instance of them is connected. */
        int retry() {
            Api api = options.api();
            String absent = String.join(", ", absent(api));
            if (!absent.isEmpty()) {
                options.err().printf("No instance of %s is connected: the saga waits until one is.%n", absent);
            }
            return give("retry", Api.object(), api);
        }

        private Set<String> absent(Api api) {
            JsonNode known = api.get("/api/v1/services");
            if (!known.path("silent").isEmpty()) return Set.of();
            Set<String> absent = new TreeSet<>();
            for (JsonNode branch : api.get(path()).path("branches")) {
                String state = branch.at("/callback/state").asString();
                if (state.equals("GAVE_UP") || state.startsWith("AWAITING")) {
                    absent.add(branch.path("service").asString());
                }
            }
            for (JsonNode service : known.path("services")) {
                if (service.path("connected").asBoolean()) {
                    absent.remove(service.path("name").asString());
                }
            }
            return absent;
        }

        private String path() {
            return "/api/v1/sagas/" + Api.encoded(id);
        }

        private int give(String name, ObjectNode order, Api api) {
            long seen = sequence != null
                    ? sequence
                    : api.get(path()).path("sequence").asLong();
            signature.sign(order).put("sequence", seen);
            JsonNode done = api.post(path() + "/" + name, order);
            options.print(done, "Ordered: %s of saga %s, as of event %d.".formatted(name, id, seen));
            return 0;
        }
    }

    /** {@code alphactl retry}. */
    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Asks again for what alpha has given up on, and at once for what waits for its next attempt.")
    static final class Retry implements Callable<Integer> {
        @Mixin
        private Order order = new Order();

        @Override
        public Integer call() {
            return order.retry();
        }
    }

    /** {@code alphactl skip}. */
    @Command(
            name = "skip",
            mixinStandardHelpOptions = true,
            description = "Takes one branch of a suspended saga as done by hand; alpha goes on with the others.")
    static final class Skip implements Callable<Integer> {
        @Mixin
        private Order order = new Order();

        @Option(
                names = "--branch",
                required = true,
                paramLabel = "ID",
                description = "The branch, as 'sagas show' says.")
        private String branch = "";

        @Override
        public Integer call() {
            return order.give("skip", Api.object().put("branch", branch));
        }
    }

    /** {@code alphactl resolve}. */
    @Command(
            name = "resolve",
            mixinStandardHelpOptions = true,
            description = "Takes all that is left of a suspended saga as done by hand.")
    static final class Resolve implements Callable<Integer> {
        @Mixin
        private Order order = new Order();

        @Option(
                names = "--outcome",
                required = true,
                paramLabel = "OUTCOME",
                description = "COMMITTED or COMPENSATED: as it was decided.")
        private String outcome = "";

        @Override
        public Integer call() {
            return order.give("resolve", Api.object().put("outcome", outcome));
        }
    }

    /** {@code alphactl abort}. */
    @Command(name = "abort", mixinStandardHelpOptions = true, description = "Aborts a saga that is active.")
    static final class Abort implements Callable<Integer> {
        @Mixin
        private Order order = new Order();

        @Override
        public Integer call() {
            return order.give("abort", Api.object());
        }
    }
}
