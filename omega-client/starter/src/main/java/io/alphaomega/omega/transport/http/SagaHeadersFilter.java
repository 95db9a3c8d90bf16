package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.ReceivedCall;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallReports;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/** Puts the thread that serves a request into the saga that the request's headers name, while it serves it. */
public final class SagaHeadersFilter extends OncePerRequestFilter {
    private final ReceivedCall.Receiver receiver;

    /**
     * @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now, if its begin does not say
     * @param holder tells alpha what answers cannot bring
     */
    public SagaHeadersFilter(Duration sagaTimeout, PendingReports.Holder holder) {
        this.receiver = new ReceivedCall.Receiver(sagaTimeout, holder);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpAnswer answer = new HttpAnswer(response);
        ReceivedCall call;
        try {
            call = ReceivedCall.from(
                    header -> CallHeadersFilter.value(request, header), ReceivedCall::anonymous, receiver, answer);
        } catch (MalformedSagaHeadersException malformed) {
            SagaProblemResolver.write(response, SagaProblem.of(malformed));
            return;
        }
        if (call == null) {
            chain.doFilter(request, response);
            return;
        }
        SagaContext.Scope scope = call.context().open();
        boolean failed = true;
        try {
            OwingResponse owing = new OwingResponse(response, call);
            chain.doFilter(request, owing);
            if (!request.isAsyncStarted()) owing.owe();
            failed = mayFail(request, response) || answer.isLost();
        } catch (SagaException refused) {
            if (!SagaProblemResolver.answered(request, response, refused)) throw refused;
        } finally {
            scope.close();
            if (failed && !request.isAsyncStarted()) call.oweAfterFailure();
            answer.close();
            call.untold().served(failed);
        }
    }

    /** Also if it is not there yet; and a client that is sent elsewhere may follow, and not show who sent it. */
    private static boolean mayFail(HttpServletRequest request, HttpServletResponse response) {
        return request.isAsyncStarted() || response.getStatus() >= HttpServletResponse.SC_MULTIPLE_CHOICES;
    }

    /** An answer whose headers the thread that serves the call may still set: of others the container makes no promise. */
    private static final class HttpAnswer implements PendingReports.Answer {
        private final HttpServletResponse response;
        private final Thread serving = Thread.currentThread();
        private volatile boolean closed;
        private @Nullable String brought;

        HttpAnswer(HttpServletResponse response) {
            this.response = response;
        }

        @Override
        public boolean isOpen() {
            return Thread.currentThread().equals(serving) && !closed && !response.isCommitted();
        }

        @Override
        public void bring(CallReports reports) {
            brought = SagaHeaders.encoded(reports);
            response.setHeader(SagaHeaders.CARRIED, brought);
        }

        /** Whether somebody has taken out what was brought, or put something else in its place. */
        boolean isLost() {
            return brought != null && !response.getHeaders(SagaHeaders.CARRIED).contains(brought);
        }

        void close() {
            closed = true;
        }
    }
}
