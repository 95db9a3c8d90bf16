package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.SagaHeaders;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a call in a saga that omega has refused with problem details (RFC 9457). It is asked last: whatever the service
 * itself has for an exception comes first. Requests that belong to no saga are not its business.
 */
public final class SagaProblemResolver implements HandlerExceptionResolver, Ordered {
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        if (CallHeadersFilter.value(request, SagaHeaders.SAGA) == null) return null;
        try {
            return answered(request, response, thrown) ? new ModelAndView() : null;
        } catch (IOException callerIsGone) {
            return null; // Nobody reads the answer; the container handles the exception itself.
        }
    }

    /** Whether the exception could be, and was, answered. */
    static boolean answered(HttpServletRequest request, HttpServletResponse response, Throwable thrown)
            throws IOException {
        SagaProblem problem = SagaProblem.of(thrown);
        if (problem == null || response.isCommitted()) return false;
        response.resetBuffer();
        try {
            write(response, problem);
        } catch (IllegalStateException writerInUse) {
            return false;
        }
        problem.log(request.getMethod(), request.getRequestURI(), thrown);
        return true;
    }

    static void write(HttpServletResponse response, SagaProblem problem) throws IOException {
        ServletOutputStream body = response.getOutputStream();
        response.setStatus(problem.status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        body.write(problem.json().getBytes(StandardCharsets.UTF_8));
    }
}
