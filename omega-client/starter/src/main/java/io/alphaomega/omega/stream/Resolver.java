package io.alphaomega.omega.stream;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Asks the operating system for the IP addresses of names, on a thread of its own: it may take long. */
final class Resolver {
    /** Of one name; a few more than streams are kept, so that there is some choice. */
    private static final int SOCKETS_MAX = 16;

    /** A name may get further alphas while streams are up: the JVM itself asks no more often by default. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final List<AlphaAddress> addresses;
    private final Lookup lookup;
    private final Duration again;
    private final ExecutorService executor;

    /** What knows the IP addresses of names. */
    interface Lookup {
        InetAddress[] all(String host) throws UnknownHostException;
    }

    Resolver(List<String> addresses) {
        this(addresses, InetAddress::getAllByName, AGAIN);
    }

    /** @param again how often to ask when nothing is missing */
    Resolver(List<String> addresses, Lookup lookup, Duration again) {
        this.lookup = lookup;
        this.again = again;
        this.addresses = addresses.stream().map(AlphaAddress::parse).toList();
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("omega-alpha-names"));
        one.allowCoreThreadTimeOut(true);
        executor = one;
    }

    /**
     * What a name was resolved to.
     *
     * @param error why there is no socket
     */
    record Answer(AlphaAddress address, List<InetSocketAddress> sockets, String error) {}

    void resolve(Consumer<List<Answer>> then) {
        try {
            executor.execute(
                    () -> then.accept(addresses.stream().map(this::resolve).toList()));
        } catch (RejectedExecutionException closed) {
            // The client is closing and does not want to know any more.
        }
    }

    /** How often to ask when nothing is missing. */
    Duration again() {
        return again;
    }

    private Answer resolve(AlphaAddress address) {
        try {
            InetAddress[] found = lookup.all(address.host());
            // One alpha often has an address of each family: those of the family preferred here suffice.
            List<InetSocketAddress> sockets = new ArrayList<>();
            Arrays.stream(found)
                    .filter(each -> each.getClass() == found[0].getClass())
                    .limit(SOCKETS_MAX)
                    .forEach(each -> sockets.add(new InetSocketAddress(each, address.port())));
            return new Answer(address, sockets, "");
        } catch (UnknownHostException e) {
            return new Answer(address, List.of(), "unknown host " + address.host());
        }
    }

    void close() {
        executor.shutdownNow();
    }
}
