package io.alphaomega.omega.transport.dubbo;

import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.ReceivedCall;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Makes omega known to applications of Dubbo, so that calls that these serve are in their sagas. A bean, which does so for
 * the application that is a bean, as Dubbo's Spring integration has it, else for Dubbo's default one. Calls of others, whose
 * filters Dubbo makes itself, need nothing of it.
 */
public final class DubboSagas implements AutoCloseable {
    private static final String ATTRIBUTE = DubboSagas.class.getName();

    private final ReceivedCall.@Nullable Receiver receiver;
    private final Set<ApplicationModel> applications = ConcurrentHashMap.newKeySet();

    /**
     * @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now, if its begin does not say
     * @param holder tells alpha what answers cannot bring
     */
    public DubboSagas(Duration sagaTimeout, PendingReports.Holder holder) {
        this.receiver = new ReceivedCall.Receiver(sagaTimeout, holder);
    }

    private DubboSagas() {
        this.receiver = null;
    }

    /** Where omega is switched off: calls are served outside of sagas. */
    public static DubboSagas switchedOff() {
        return new DubboSagas();
    }

    /**
     * Has the services that an application exports be called in sagas, in the place of any other omega it knew. To be called
     * before it serves.
     */
    public void addTo(ApplicationModel application) {
        application.setAttribute(ATTRIBUTE, this);
        applications.add(application);
    }

    /** Makes them forget it. */
    @Override
    public void close() {
        applications.forEach(application -> application.getAttributes().remove(ATTRIBUTE, this));
    }

    static @Nullable DubboSagas of(ApplicationModel application) {
        return application.getAttribute(ATTRIBUTE, DubboSagas.class);
    }

    static String missing(ApplicationModel application) {
        return ("The call is of a saga, but Dubbo's application '%s' knows no omega; the call was not served. Give it one by"
                        + " DubboSagas.addTo(…), before it serves.")
                .formatted(application.getDesc());
    }

    /** Null if omega is switched off. */
    ReceivedCall.@Nullable Receiver receiver() {
        return receiver;
    }
}
