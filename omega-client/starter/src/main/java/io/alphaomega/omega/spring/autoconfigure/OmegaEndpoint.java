package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.observe.InFlightWork;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaSnapshot;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.omega.stream.AlphaTraffic;
import io.alphaomega.protocol.v1.Hello;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** What this instance has to do with its alphas at this moment; changes nothing. */
@Endpoint(id = "omega")
final class OmegaEndpoint {
    /** As many runs as a person reads; the oldest are the ones that are looked for. */
    static final int RUNS_LISTED = 100;

    /** The client's thread never waits, and answers within milliseconds unless the machine stands still. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private final AlphaClient alpha;
    private final OfferedCallbacks callbacks;
    private final HeldReports held;
    private final InFlightWork underWay;
    private final FencedExecution localWork;

    OmegaEndpoint(
            AlphaClient alpha,
            OfferedCallbacks callbacks,
            HeldReports held,
            InFlightWork underWay,
            FencedExecution localWork) {
        this.alpha = alpha;
        this.callbacks = callbacks;
        this.held = held;
        this.underWay = underWay;
        this.localWork = localWork;
    }

    /**
     * What there is at this moment.
     *
     * @param service the name that alpha knows the service by
     * @param instance the id that alpha knows this instance by; another one after each start
     * @param version of omega
     */
    record Standing(
            String service,
            String instance,
            String version,
            List<Alpha> alphas,
            Reports reports,
            Runs underWay,
            List<OfferedCallback> callbacks,
            List<FencedExecution.KnownFence> fences) {}

    /**
     * One alpha.
     *
     * @param address as configured, with the IP address it was resolved to
     * @param since when the state began
     * @param node what it calls itself; empty unless connected, as its version
     * @param unanswered reports given to its stream that it has not answered
     * @param callbacks that it has asked for and that are not answered
     * @param lastError of its connection; empty if there was none
     */
    public record Alpha(
            String address,
            AlphaStatus.State state,
            Instant since,
            String node,
            String version,
            int unanswered,
            int callbacks,
            String lastError) {
        static Alpha of(AlphaTraffic traffic) {
            AlphaStatus status = traffic.status();
            return new Alpha(
                    status.address(),
                    status.state(),
                    status.since(),
                    status.node(),
                    traffic.version(),
                    traffic.unanswered(),
                    traffic.callbacks(),
                    status.lastError());
        }
    }

    /**
     * Reports to alpha, counted.
     *
     * @param unanswered reports that no alpha has answered
     * @param waiting those of them that no stream has
     * @param withoutRoom reports of what is reactive or a future that wait until fewer are unanswered
     * @param held what waits for something to travel with
     */
    record Reports(int unanswered, int waiting, int withoutRoom, HeldReports.Count held) {}

    /**
     * What of sagas runs in this instance.
     *
     * @param count how many runs there are
     * @param oldest at most {@value #RUNS_LISTED} of them, the oldest first
     */
    record Runs(int count, List<InFlightWork.Run> oldest) {}

    /** A callback that this service offers to alpha. */
    record OfferedCallback(String name, CallbackFinder.Role kind, String bean, String method) {
        static OfferedCallback of(OfferedCallbacks.Offered offered) {
            CallbackMethod callback = offered.callback();
            return new OfferedCallback(callback.name(), callback.role(), offered.bean(), callback.describe());
        }
    }

    @ReadOperation
    Standing standing() {
        Hello hello = alpha.hello();
        AlphaSnapshot now = snapshot();
        return new Standing(
                hello.getService(),
                hello.getInstance(),
                hello.getVersion(),
                now.alphas().stream().map(Alpha::of).toList(),
                new Reports(now.unanswered(), now.waiting(), now.withoutRoom(), held.count()),
                new Runs(underWay.count(), underWay.oldest(RUNS_LISTED)),
                callbacks.offered().stream().map(OfferedCallback::of).toList(),
                localWork.knownFences());
    }

    private AlphaSnapshot snapshot() {
        try {
            return alpha.snapshot()
                    .orTimeout(ANSWER_WITHIN.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof TimeoutException)) throw e;
            throw new IllegalStateException(
                    "The thread of the connections to alpha has not answered within " + ANSWER_WITHIN
                            + ", so nothing is known of them; a dump of the thread omega-alpha says what it does.",
                    e);
        }
    }
}
