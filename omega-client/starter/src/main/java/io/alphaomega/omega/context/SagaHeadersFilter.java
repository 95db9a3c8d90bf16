package io.alphaomega.omega.context;

import io.alphaomega.protocol.v1.CallReports;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/** Puts the thread that serves a request into the saga that the request's headers name, while it serves it. */
public final class SagaHeadersFilter extends OncePerRequestFilter {
    private final Duration sagaTimeout;
    private final Untold.Holder holder;

    /**
     * @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now, if its begin does not say
     * @param holder tells alpha what answers cannot bring
     */
    public SagaHeadersFilter(Duration sagaTimeout, Untold.Holder holder) {
        this.sagaTimeout = sagaTimeout;
        this.holder = holder;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String saga = request.getHeader(SagaHeaders.SAGA);
        if (saga == null) {
            chain.doFilter(request, response);
            return;
        }
        String malformed = malformed(request);
        if (malformed != null) {
            refuse(response, malformed, "1 to 64 characters of A-Z a-z 0-9 - _ . :");
            return;
        }
        String carried = CallHeadersFilter.value(request, SagaHeaders.CARRIED);
        CallReports reports = carried == null ? CallReports.getDefaultInstance() : SagaHeaders.decoded(carried);
        if (reports == null) {
            refuse(response, SagaHeaders.CARRIED, "what an omega has written");
            return;
        }
        HttpAnswer answer = new HttpAnswer(response);
        boolean brings =
                reports.getTakesEnds() && reports.getCall().equals(CallHeadersFilter.value(request, SagaHeaders.CALL));
        Untold untold = Untold.received(saga, reports, holder, brings ? answer : null);
        SagaContext.Scope scope = context(request, saga, untold).open();
        boolean failed = true;
        try {
            chain.doFilter(request, response);
            failed = mayFail(request, response) || answer.isLost();
        } finally {
            scope.close();
            answer.close();
            untold.served(failed);
        }
    }

    /** Also if it is not there yet; and a client that is sent elsewhere may follow, and not show who sent it. */
    private static boolean mayFail(HttpServletRequest request, HttpServletResponse response) {
        return request.isAsyncStarted() || response.getStatus() >= HttpServletResponse.SC_MULTIPLE_CHOICES;
    }

    private SagaContext context(HttpServletRequest request, String saga, Untold untold) {
        String branch = CallHeadersFilter.value(request, SagaHeaders.BRANCH);
        String call = CallHeadersFilter.value(request, SagaHeaders.CALL);
        String trace = request.getHeader(SagaHeaders.TRACEPARENT);
        return SagaContext.received(
                saga,
                branch == null || branch.equals(saga) ? "" : branch,
                call == null ? UUID.randomUUID().toString() : call,
                System.nanoTime()
                        + untold.timeLeft()
                                .map(left -> left.plus(SagaContext.DECISION_GRACE))
                                .orElse(sagaTimeout)
                                .toNanos(),
                trace == null || !SagaHeaders.isTraceparent(trace) ? "" : trace,
                untold);
    }

    private static @Nullable String malformed(HttpServletRequest request) {
        for (String header : new String[] {SagaHeaders.SAGA, SagaHeaders.BRANCH, SagaHeaders.CALL}) {
            String value = CallHeadersFilter.value(request, header);
            if (value != null && !SagaHeaders.isId(value)) return header;
        }
        return null;
    }

    /** Does not repeat the value: whoever sent it knows it. */
    private static void refuse(HttpServletResponse response, String header, String expected) throws IOException {
        response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.getWriter()
                .write(
                        "{\"title\":\"Bad Request\",\"status\":400,\"detail\":\"Header %s must be %s but is not; the request was not served.\"}"
                                .formatted(header, expected));
    }

    /** An answer whose headers the thread that serves the call may still set: of others the container makes no promise. */
    private static final class HttpAnswer implements Untold.Answer {
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
