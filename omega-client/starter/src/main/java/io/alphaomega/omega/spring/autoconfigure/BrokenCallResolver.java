package io.alphaomega.omega.spring.autoconfigure;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;

/**
 * The resolver of exceptions that Spring MVC asks last, but for one answer. Spring's takes an exception that says "Broken
 * pipe", or is an {@code EOFException}, for a client that has hung up, and answers nothing, with status 200. Here that is
 * so only if the client can be meant: if the answer has begun, or the container says so. Else somebody has hung up who was
 * called, a saga is aborted for it, and the client hears of a failure as of any other.
 */
final class BrokenCallResolver extends DefaultHandlerExceptionResolver {
    /** By which Tomcat, Jetty, and Spring for all of them, say that it is the client. */
    private static final Set<String> OF_CLIENT =
            Set.of("ClientAbortException", "EofException", "AsyncRequestNotUsableException");

    private static final int CAUSES_MAX = 50;

    /** That the failure is left to the container. */
    private static final class Unresolved extends ModelAndView {}

    @Override
    protected @Nullable ModelAndView doResolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        ModelAndView resolved = super.doResolveException(request, response, handler, failure);
        return resolved instanceof Unresolved ? null : resolved;
    }

    @Override
    protected ModelAndView handleDisconnectedClientException(
            Exception failure, HttpServletRequest request, HttpServletResponse response, @Nullable Object handler) {
        return response.isCommitted() || isOfClient(failure)
                ? super.handleDisconnectedClientException(failure, request, response, handler)
                : new Unresolved();
    }

    private static boolean isOfClient(Throwable failure) {
        Throwable each = failure;
        for (int depth = 0; each != null && depth < CAUSES_MAX; depth++, each = each.getCause()) {
            if (OF_CLIENT.contains(each.getClass().getSimpleName())) return true;
        }
        return false;
    }
}
