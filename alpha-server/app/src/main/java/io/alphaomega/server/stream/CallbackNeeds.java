package io.alphaomega.server.stream;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.NeededCallback;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callbacks that open sagas need and no connected instance of their service offers. It looks when a build connects to
 * this node or leaves it, and again every minute while any is missing: at a bounded number of sagas, so that a start of
 * many instances costs the store no more than one. Safe for many threads.
 */
public final class CallbackNeeds {
    /**
     * Of those that are decided, and of those that are not: the youngest of each. Each costs a look at its journal, and a
     * service is not woken before.
     */
    static final int LOOKED_MAX = 250;

    /** What was missing may have been undone by hand meanwhile; and a look that the store or a node kept from its end. */
    static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

    private static final List<Set<State>> OPEN =
            List.of(Set.of(State.SUSPENDED, State.COMPENSATING, State.CONFIRMING), Set.of(State.ACTIVE));

    private static final Logger LOG = LoggerFactory.getLogger(CallbackNeeds.class);

    /**
     * A callback that no connected instance offers.
     *
     * @param callback its logical name
     * @param sagas how many of those that were looked at need it
     * @param more whether there are others that were not looked at
     */
    public record Lack(String callback, int sagas, boolean more) {}

    private record Found(Instant at, List<Lack> lacks) {}

    private final SagaRepository repository;
    private final Instances instances;
    private final Function<String, Optional<Set<String>>> offered;
    private final Clock clock;
    private final Map<String, Found> found = new ConcurrentHashMap<>();

    /** Services of which something has changed since they were looked at, with when that was. */
    private final Map<String, Instant> changed = new ConcurrentHashMap<>();

    /**
     * Knows nothing yet.
     *
     * @param offered what the instances of a service offer that are connected to any node; empty while a node does not say
     */
    public CallbackNeeds(
            SagaRepository repository,
            Instances instances,
            Function<String, Optional<Set<String>>> offered,
            Clock clock) {
        this.repository = repository;
        this.instances = instances;
        this.offered = offered;
        this.clock = clock;
    }

    /** Those of a service that has an instance here, as of the last look. */
    public List<Lack> of(String service) {
        Found last = found.get(service);
        return last == null ? List.of() : last.lacks();
    }

    /** Other builds of the service are connected to this node than before. */
    void changed(String service) {
        changed.put(service, clock.instant());
    }

    /** Looks at the sagas if something has changed since the last look. Blocks. If it fails, a later look makes up for it. */
    void look(String service) {
        if (changed.remove(service) == null) return;
        try {
            lookNow(service);
        } catch (RuntimeException e) {
            LOG.debug("Looking for callbacks that sagas need of service {} has failed: {}", service, e.toString());
            changed(service);
        }
    }

    /** What is to be looked at again by now. */
    void lookAgain(Executor threads) {
        Instant before = clock.instant().minus(AGAIN_AFTER);
        found.forEach((service, last) -> {
            if (last.at().isBefore(before)) changed.putIfAbsent(service, last.at());
        });
        changed.forEach((service, since) -> {
            if (since.isBefore(before)) threads.execute(() -> look(service));
        });
    }

    private void lookNow(String service) {
        Optional<Set<String>> here = instances.offered(service);
        if (here.isEmpty()) {
            found.remove(service);
            return;
        }
        SortedMap<String, Integer> needed = new TreeMap<>();
        boolean more = false;
        for (Set<State> states : OPEN) more |= count(states, service, needed);
        needed.keySet().removeAll(here.get());
        if (!needed.isEmpty()) {
            Optional<Set<String>> anywhere = offered.apply(service);
            if (anywhere.isEmpty()) changed(service); // Whether they are missing is not known.
            needed.keySet().removeAll(anywhere.orElseGet(() -> Set.copyOf(needed.keySet())));
        }
        boolean others = more;
        note(
                service,
                needed.entrySet().stream()
                        .map(each -> new Lack(each.getKey(), each.getValue(), others))
                        .toList());
    }

    private void note(String service, List<Lack> lacks) {
        Set<String> before = new HashSet<>();
        of(service).forEach(lack -> before.add(lack.callback()));
        if (lacks.isEmpty()) found.remove(service);
        else found.put(service, new Found(clock.instant(), lacks));
        for (Lack lack : lacks) {
            if (before.contains(lack.callback())) continue;
            LOG.warn(
                    "Service {} is connected without callback {}, which open sagas need or may need ({} of those that were"
                            + " looked at{}): no connected instance offers it. Start a build that does, or give the"
                            + " callback that takes its place this name as an alias.",
                    service,
                    lack.callback(),
                    lack.sagas(),
                    lack.more() ? ", and there are more" : "");
        }
    }

    /** Returns whether there are others. */
    private boolean count(Set<State> states, String service, Map<String, Integer> needed) {
        Page<SagaSummary> page = repository.find(SagaQuery.ALL.in(states).of(service), Cursor.START, LOOKED_MAX);
        for (SagaSummary saga : page.items()) {
            for (NeededCallback callback : NeededCallback.of(state(saga.id()))) {
                if (callback.service().equals(service)) needed.merge(callback.name(), 1, Integer::sum);
            }
        }
        return page.next().isPresent();
    }

    private SagaState state(SagaId saga) {
        try {
            return JournalCodec.state(saga, repository.load(saga).events());
        } catch (JournalUnreadableException | CorruptJournalException e) {
            return new SagaState.Absent(saga); // The page of stuck sagas has it.
        }
    }
}
