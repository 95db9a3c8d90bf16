package io.alphaomega.omega.context;

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

    /** @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now */
    public SagaHeadersFilter(Duration sagaTimeout) {
        this.sagaTimeout = sagaTimeout;
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
            refuse(response, malformed);
            return;
        }
        SagaContext.Scope scope = context(request, saga).open();
        try {
            chain.doFilter(request, response);
        } finally {
            scope.close();
        }
    }

    private SagaContext context(HttpServletRequest request, String saga) {
        String branch = CallHeadersFilter.value(request, SagaHeaders.BRANCH);
        String call = CallHeadersFilter.value(request, SagaHeaders.CALL);
        String trace = request.getHeader(SagaHeaders.TRACEPARENT);
        return SagaContext.received(
                saga,
                branch == null || branch.equals(saga) ? "" : branch,
                call == null ? UUID.randomUUID().toString() : call,
                System.nanoTime() + sagaTimeout.toNanos(),
                trace == null || !SagaHeaders.isTraceparent(trace) ? "" : trace);
    }

    private static @Nullable String malformed(HttpServletRequest request) {
        for (String header : new String[] {SagaHeaders.SAGA, SagaHeaders.BRANCH, SagaHeaders.CALL}) {
            String value = CallHeadersFilter.value(request, header);
            if (value != null && !SagaHeaders.isId(value)) return header;
        }
        return null;
    }

    /** Does not repeat the value: whoever sent it knows it. */
    private static void refuse(HttpServletResponse response, String header) throws IOException {
        response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.getWriter()
                .write(("{\"title\":\"Bad Request\",\"status\":400,\"detail\":\"Header %s must be 1 to 64 characters of"
                                + " A-Z a-z 0-9 - _ . : but is not; the request was not served.\"}")
                        .formatted(header));
    }
}
