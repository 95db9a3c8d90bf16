package io.alphaomega.omega.transport.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Makes requests that get the saga's headers at the last moment, when interceptors have done with them, and that look at
 * the headers of the answer first.
 */
final class SettlingRequestFactory extends AbstractClientHttpRequestFactoryWrapper {

    SettlingRequestFactory(ClientHttpRequestFactory requestFactory) {
        super(requestFactory);
    }

    @Override
    protected ClientHttpRequest createRequest(URI uri, HttpMethod method, ClientHttpRequestFactory requestFactory)
            throws IOException {
        ClientHttpRequest request = requestFactory.createRequest(uri, method);
        return request instanceof StreamingHttpOutputMessage streaming
                ? new StreamingRequest(request, streaming)
                : new Request(request);
    }

    private static class Request implements ClientHttpRequest {
        private final ClientHttpRequest request;

        Request(ClientHttpRequest request) {
            this.request = request;
        }

        @Override
        public ClientHttpResponse execute() throws IOException {
            SagaCalls.Sent sent = SagaCalls.settle(request, true);
            try {
                ClientHttpResponse response = request.execute();
                sent.answered(response.getHeaders(), !response.getStatusCode().isError());
                return response;
            } catch (IOException | RuntimeException e) {
                sent.failed();
                throw e;
            }
        }

        @Override
        public HttpMethod getMethod() {
            return request.getMethod();
        }

        @Override
        public URI getURI() {
            return request.getURI();
        }

        @Override
        public Map<String, Object> getAttributes() {
            return request.getAttributes();
        }

        @Override
        public HttpHeaders getHeaders() {
            return request.getHeaders();
        }

        @Override
        public OutputStream getBody() throws IOException {
            return request.getBody();
        }
    }

    private static final class StreamingRequest extends Request implements StreamingHttpOutputMessage {
        private final StreamingHttpOutputMessage streaming;

        StreamingRequest(ClientHttpRequest request, StreamingHttpOutputMessage streaming) {
            super(request);
            this.streaming = streaming;
        }

        @Override
        public void setBody(Body body) {
            streaming.setBody(body);
        }
    }
}
