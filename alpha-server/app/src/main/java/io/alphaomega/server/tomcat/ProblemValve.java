package io.alphaomega.server.tomcat;

import io.alphaomega.server.problem.ProblemReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** What Tomcat refuses before Spring sees it, such as a malformed path, as a problem instead of a page of HTML. */
public final class ProblemValve extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) return;
        byte[] problem =
                "{\"status\":%d,\"title\":\"Refused\",\"detail\":\"The request is malformed or too large.\",\"reason\":\"%s\"}"
                        .formatted(status, ProblemReason.BAD_REQUEST)
                        .getBytes(StandardCharsets.UTF_8);
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setContentLength(problem.length);
            response.getOutputStream().write(problem);
            response.finishResponse();
        } catch (IOException gone) {
            // Nobody is there to be told.
        }
    }
}
