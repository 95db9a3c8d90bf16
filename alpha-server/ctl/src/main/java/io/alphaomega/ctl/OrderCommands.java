package io.alphaomega.ctl;

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
            String path = "/api/v1/sagas/" + Api.encoded(id);
            Api api = options.api();
            long seen =
                    sequence != null ? sequence : api.get(path).path("sequence").asLong();
            signature.sign(order).put("sequence", seen);
            JsonNode done = api.post(path + "/" + name, order);
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
            return order.give("retry", Api.object());
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
