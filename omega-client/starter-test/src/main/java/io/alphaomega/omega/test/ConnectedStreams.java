package io.alphaomega.omega.test;

import io.alphaomega.saga.SagaEffect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The streams of omegas that are connected, and the services that should be again. Guarded by its alpha. */
final class ConnectedStreams {
    private final List<MemoryStream> streams = new ArrayList<>();

    /** Services that were connected when alpha went away. */
    private final Set<String> missed = new HashSet<>();

    void add(MemoryStream stream) {
        streams.add(stream);
        missed.remove(stream.hello().getService());
    }

    void remove(MemoryStream stream) {
        streams.remove(stream);
    }

    /** Each service is missed from now on, until it is connected again. */
    void breakOff(String why) {
        streams.forEach(stream -> missed.add(stream.hello().getService()));
        List.copyOf(streams).forEach(stream -> stream.breakOff(why));
    }

    boolean missesNone() {
        return missed.isEmpty();
    }

    void missNone() {
        missed.clear();
    }

    boolean has(String service) {
        return streams.stream().anyMatch(stream -> stream.takesCallbacks(service));
    }

    Set<String> builds(String service) {
        return streams.stream()
                .filter(stream -> stream.takesCallbacks(service))
                .map(MemoryStream::build)
                .collect(Collectors.toSet());
    }

    /** The instance that ran the branch, or another of its build, or of a build that has not said that it cannot. */
    @Nullable
    MemoryStream whoTakes(SagaEffect.Call call) {
        MemoryStream found = null;
        for (MemoryStream each : streams) {
            if (!each.takesCallbacks(call.service()) || call.unable().contains(each.build())) continue;
            if (each.hello().getInstance().equals(call.instance())) return each;
            boolean ran = each.build().equals(call.build());
            if (found == null || (ran && !found.build().equals(call.build()))) found = each;
        }
        return found;
    }
}
