package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.SagaHeaders;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps the headers that are about one call from everybody but {@link SagaHeadersFilter}: a service that copies what it
 * was called with to what it calls would make one call of several. To stand outside of whatever sees headers.
 */
public final class CallHeadersFilter extends OncePerRequestFilter {
    private static final Set<String> HIDDEN = SagaHeaders.OF_ONE_CALL.stream()
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        for (String name : SagaHeaders.OF_ONE_CALL) {
            String value = request.getHeader(name);
            if (value != null) request.setAttribute(name, value);
        }
        chain.doFilter(new Hiding(request), response);
    }

    /** What the request says in that header, hidden or not. */
    static @Nullable String value(HttpServletRequest request, String header) {
        Object hidden = request.getAttribute(header);
        return hidden == null ? request.getHeader(header) : (String) hidden;
    }

    private static final class Hiding extends HttpServletRequestWrapper {
        Hiding(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return isHidden(name) ? null : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return isHidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            return Collections.enumeration(Collections.list(super.getHeaderNames()).stream()
                    .filter(name -> !isHidden(name))
                    .toList());
        }

        private static boolean isHidden(String name) {
            return HIDDEN.contains(name.toLowerCase(Locale.ROOT));
        }
    }
}
