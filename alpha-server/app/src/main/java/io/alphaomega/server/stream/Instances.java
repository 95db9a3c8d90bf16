package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.wire.WireInputs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The instances of services that have streams to this node, and those that had until a while ago. Safe for many threads. */
public final class Instances {
    /** Who looks for a service that is gone wants to know when it was last seen. */
    static final Duration REMEMBERED = Duration.ofHours(1);

    /** A service that crashes every few seconds leaves an instance each time. */
    static final int GONE_MAX = 200;

    /**
     * An instance of a service.
     *
     * @param version of its omega, for people
     * @param build of the service, as sagas know it
     * @param callbacks that it can run
     * @param streams that it has to this node; 0 if it is gone
     * @param since when its first stream opened
     * @param seen when it was last there; now if it is
     */
    public record Instance(
            String service,
            String instance,
            String version,
            String build,
            Set<String> callbacks,
            int streams,
            Instant since,
            Instant seen) {
        boolean isGone() {
            return streams == 0;
        }
    }

    private record Key(String service, String instance) {}

    private final Strangers strangers = new Strangers();
    private final Map<Key, Instance> here = new HashMap<>();

    /** Who was first gone first. */
    private final Map<Key, Instance> gone = new LinkedHashMap<>();

    synchronized void connected(Hello hello, Instant now) {
        Key key = key(hello);
        gone.remove(key);
        Instance before = here.get(key);
        Instance connected = new Instance(
                hello.getService(),
                hello.getInstance(),
                hello.getVersion(),
                WireInputs.build(hello),
                Set.copyOf(new TreeSet<>(hello.getCallbacksList())),
                before == null ? 1 : before.streams() + 1,
                before == null ? now : before.since(),
                now);
        if (before != null) strangers.left(before);
        strangers.came(connected);
        here.put(key, connected);
    }

    synchronized void gone(Hello hello, Instant now) {
        Key key = key(hello);
        Instance before = here.remove(key);
        if (before == null) return;
        Instance after = new Instance(
                before.service(),
                before.instance(),
                before.version(),
                before.build(),
                before.callbacks(),
                before.streams() - 1,
                before.since(),
                now);
        if (!after.isGone()) {
            here.put(key, after);
            return;
        }
        strangers.left(before);
        gone.put(key, after);
        if (gone.size() > GONE_MAX) gone.remove(gone.keySet().iterator().next());
    }

    /** Those that are here, and those that were within the last hour. */
    public synchronized List<Instance> all(Instant now) {
        gone.values().removeIf(each -> each.seen().isBefore(now.minus(REMEMBERED)));
        List<Instance> all = new ArrayList<>(gone.values());
        for (Instance each : here.values()) {
            all.add(new Instance(
                    each.service(),
                    each.instance(),
                    each.version(),
                    each.build(),
                    each.callbacks(),
                    each.streams(),
                    each.since(),
                    now));
        }
        return all;
    }

    /** The callbacks of a service that the instances here can run; empty if none is here. */
    synchronized Optional<Set<String>> offered(String service) {
        Set<String> offered = null;
        for (Instance each : here.values()) {
            if (!each.service().equals(service)) continue;
            if (offered == null) offered = new HashSet<>();
            offered.addAll(each.callbacks());
        }
        return Optional.ofNullable(offered);
    }

    private static Key key(Hello hello) {
        return new Key(hello.getService(), hello.getInstance());
    }
}
