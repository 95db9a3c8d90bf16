package io.alphaomega.repository.elasticsearch;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.http.HttpEntity;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.util.EntityUtils;
import org.elasticsearch.client.Cancellable;
import org.elasticsearch.client.Request;
import org.elasticsearch.client.Response;
import org.elasticsearch.client.ResponseException;
import org.elasticsearch.client.ResponseListener;
import org.elasticsearch.client.RestClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * One address of the cluster. It has a client of its own: one client for all addresses would repeat a request at the next
 * one when this one fails, an append too.
 */
final class ElasticsearchNode {
    /** Long enough for a node that restarts not to be asked by every request meanwhile, short enough to be found again. */
    private static final Duration AVOIDED_FOR = Duration.ofSeconds(2);

    private static final String CLOSED = "closed before it answered";

    private final URI uri;
    private final RestClient client;
    private volatile Deadline avoided = Deadline.in(Duration.ZERO);
    private volatile boolean trusted = true;

    /** A client that is closed does not tell those who wait for one of its connections. */
    private final Set<Waiting> unanswered = ConcurrentHashMap.newKeySet();

    ElasticsearchNode(URI uri, RestClient client) {
        this.uri = uri;
        this.client = client;
    }

    URI uri() {
        return uri;
    }

    boolean isAvoided() {
        return !avoided.isOver();
    }

    void avoid() {
        trusted = false;
        avoided = Deadline.in(AVOIDED_FOR);
    }

    /** Whether it has answered since it was last in trouble: one more try costs a question nothing, and an append its outcome. */
    boolean isTrusted() {
        return trusted;
    }

    void trust() {
        trusted = true;
    }

    /** Whatever the node answers; an exception if it does not. */
    NodeAnswer send(Request request, Deadline deadline) throws IOException {
        Waiting waiting = new Waiting();
        // Before it starts: the client takes no request any more once close() looks who waits.
        unanswered.add(waiting);
        try {
            return await(waiting, start(request, waiting), deadline);
        } finally {
            unanswered.remove(waiting);
        }
    }

    private static NodeAnswer await(Waiting waiting, Cancellable running, Deadline deadline) throws IOException {
        try {
            return answer(waiting.response.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            running.cancel();
            throw new SocketTimeoutException("no answer in time");
        } catch (InterruptedException e) {
            running.cancel();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (CancellationException e) {
            throw new IOException(CLOSED, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ResponseException error) return answer(error.getResponse());
            if (e.getCause() instanceof IOException io) throw io;
            throw new IOException(text(e), e);
        }
    }

    private Cancellable start(Request request, Waiting waiting) throws IOException {
        try {
            return client.performRequestAsync(request, waiting);
        } catch (RuntimeException closed) {
            throw new IOException(text(closed), closed);
        }
    }

    private static final class Waiting implements ResponseListener {
        final CompletableFuture<Response> response = new CompletableFuture<>();

        @Override
        public void onSuccess(Response success) {
            response.complete(success);
        }

        @Override
        public void onFailure(Exception failure) {
            response.completeExceptionally(failure);
        }
    }

    private static NodeAnswer answer(Response response) throws IOException {
        HttpEntity entity = response.getEntity();
        byte[] body = entity == null ? new byte[0] : EntityUtils.toByteArray(entity);
        return new NodeAnswer(response.getStatusLine().getStatusCode(), json(body));
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    /** What is known of it: the message of its cause, or at least what kind it is. */
    private static String text(Exception failure) {
        Throwable known = failure.getCause() == null ? failure : failure.getCause();
        return known.getMessage() == null ? known.getClass().getSimpleName() : known.getMessage();
    }

    /** Whether the request surely did not reach the node: there was no connection that it could have gone through. */
    static boolean isUnsent(IOException failure) {
        return failure instanceof ConnectException
                || failure instanceof ConnectTimeoutException
                || failure instanceof UnknownHostException
                || failure instanceof NoRouteToHostException
                || failure instanceof SSLHandshakeException
                // What the pool throws if none of its connections becomes free.
                || (failure.getCause() instanceof ExecutionException pool
                        && pool.getCause() instanceof TimeoutException);
    }

    void close() throws IOException {
        try {
            client.close();
        } finally {
            unanswered.forEach(waiting -> waiting.onFailure(new IOException(CLOSED)));
        }
    }
}
