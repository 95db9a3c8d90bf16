package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.ReceivedCall;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * The answer to a call in a saga. Before any of it can leave, alpha knows what the call has handed over to other threads. If it
 * does not hear of that, the first attempt to write the answer fails; another answer, which says so, may be written.
 */
final class OwingResponse extends HttpServletResponseWrapper {
    private final ReceivedCall call;
    private boolean failed;

    OwingResponse(HttpServletResponse response, ReceivedCall call) {
        super(response);
        this.call = call;
    }

    void owe() {
        if (failed) return;
        failed = true;
        call.owe();
        failed = false;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        owe();
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        owe();
        return super.getWriter();
    }

    @Override
    public void flushBuffer() throws IOException {
        owe();
        super.flushBuffer();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        owe();
        super.sendRedirect(location);
    }
}
