package io.alphaomega.omega.stream;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Asks the operating system for the IP addresses of names, and a registry for the instances of a service, on a thread of
 * its own: it may take long.
 */
final class Resolver {
    /** Of one name; a few more than streams are kept, so that there is some choice. */
    private static final int SOCKETS_MAX = 16;

    /** A name may get further alphas while streams are up: the JVM itself asks no more often by default. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    /** A registry is asked through a client that mostly has the answer already. */
    private static final Duration SERVICE_AGAIN = Duration.ofSeconds(5);

    private final List<AlphaAddress> addresses;
    private final Supplier<List<InetSocketAddress>> instances;
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

    Resolver(AlphaService service) {
        this(
                List.of(AlphaAddress.ofService(service.id())),
                service.instances(),
                InetAddress::getAllByName,
                SERVICE_AGAIN);
    }

    /** @param again how often to ask when nothing is missing */
    Resolver(List<String> addresses, Lookup lookup, Duration again) {
        this(addresses.stream().map(AlphaAddress::parse).toList(), List::of, lookup, again);
    }

    private Resolver(
            List<AlphaAddress> addresses, Supplier<List<InetSocketAddress>> instances, Lookup lookup, Duration again) {
        this.lookup = lookup;
        this.again = again;
        this.addresses = addresses;
        this.instances = instances;
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("omega-alpha-names"));
        one.allowCoreThreadTimeOut(true);
        executor = one;
    }

    /**
     * What a name, or a service, was resolved to.
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
        return address.isService() ? instances(address) : named(address);
    }

    /** Instances with names that nobody knows are left out, unless there are no others. */
    private Answer instances(AlphaAddress service) {
        Set<InetSocketAddress> sockets = new LinkedHashSet<>();
        String error = "the registry knows no instance of it";
        try {
            for (InetSocketAddress each : instances.get()) {
                Answer one = named(new AlphaAddress(each.getHostString(), each.getPort()));
                // One instance is one alpha, however many addresses its host has.
                one.sockets().stream().findFirst().ifPresent(sockets::add);
                if (one.sockets().isEmpty()) error = one.error();
            }
        } catch (RuntimeException | LinkageError e) {
            error = "the registry cannot be asked: " + e;
        }
        return new Answer(service, sockets.stream().limit(SOCKETS_MAX).toList(), sockets.isEmpty() ? error : "");
    }

    private Answer named(AlphaAddress address) {
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

    @Override
    public String toString() {
        return addresses.stream().map(AlphaAddress::toString).collect(Collectors.joining(", "));
    }

    void close() {
        executor.shutdownNow();
    }
}
