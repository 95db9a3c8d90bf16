package io.alphaomega.benchmark.preset;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.fence.Forward;
import io.alphaomega.protocol.v1.CallReports;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Carried;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A service that moves amounts when it is called by HTTP: as a branch of the saga that the call's headers name, or
 * without more ado where they name none.
 */
final class Teller implements AutoCloseable {
    private static final String PATH = "/transfers";
    private static final String OPERATION = "Teller.transfer";
    private static final int OK = 200;
    private static final int FAILED = 500;

    private final OmegaReports omega;
    private final @Nullable ConnectionPool database;
    private final Fence fence;
    private final HttpServer http;
    private final ExecutorService threads;

    /**
     * Listens on a free port of this machine.
     *
     * @param database null if all transfers will be of no accounts
     * @param concurrency how many calls it serves at once
     */
    Teller(List<String> alphas, String service, @Nullable ConnectionPool database, Fence fence, int concurrency)
            throws IOException {
        this.database = database;
        this.fence = fence;
        threads = Executors.newFixedThreadPool(
                concurrency, Thread.ofPlatform().name(service + "-", 0).factory());
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), concurrency);
        http.createContext(PATH, this::serve);
        http.setExecutor(threads);
        http.start();
        omega = new OmegaReports(alphas, service, this::undo);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + PATH);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String saga = exchange.getRequestHeaders().getFirst(SagaHeaders.SAGA);
            int status = OK;
            try {
                if (saga == null) transfer(TransferPayload.decoded(body));
                else branch(saga, exchange.getRequestHeaders(), exchange.getResponseHeaders(), body);
            } catch (SQLException | RuntimeException e) {
                status = FAILED;
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private void transfer(TransferPayload transfer) throws SQLException {
        if (transfer.accounts() == 0) return;
        database().<@Nullable Void>inTransaction(connection -> {
            AccountBooks.move(connection, transfer);
            return null;
        });
    }

    private void branch(String saga, Headers request, Headers answer, byte[] body) throws SQLException {
        TransferPayload transfer = TransferPayload.decoded(body);
        String branch = SagaContext.received(
                        saga, "", request.getFirst(SagaHeaders.CALL), 0, "", PendingReports.nothing(saga))
                .nextBranch(OPERATION);
        CallReports came = Objects.requireNonNull(SagaHeaders.decoded(request.getFirst(SagaHeaders.CARRIED)));
        Carried carried = came.getReports();
        if (came.getBegun()) carried = carried.toBuilder().clearBegin().build();
        omega.beginBranch(saga, carried, branch, OPERATION, transfer.fenced(), body);
        try {
            if (transfer.fenced()) fenced(saga, branch, transfer);
            else transfer(transfer);
        } catch (SQLException | RuntimeException e) {
            omega.failBranch(saga, branch, String.valueOf(e.getMessage()));
            throw e;
        }
        CallReports.Builder goes = CallReports.newBuilder().setBegun(true);
        if (transfer.fenced()) goes.getReportsBuilder().addEnded(branch);
        else omega.endBranch(saga, branch);
        answer.set(SagaHeaders.CARRIED, SagaHeaders.encoded(goes.build()));
    }

    private void fenced(String saga, String branch, TransferPayload transfer) throws SQLException {
        database().<@Nullable Void>inTransaction(connection -> {
            Forward forward = fence.forward(connection, saga, branch);
            if (forward.verdict() == Forward.Verdict.REFUSED) throw new SQLException("the branch is over");
            if (forward.verdict() == Forward.Verdict.RUN) AccountBooks.move(connection, transfer);
            return null;
        });
    }

    private CallbackResult undo(Callback callback) {
        CallbackResult.Builder result = CallbackResult.newBuilder();
        TransferPayload back =
                TransferPayload.decoded(callback.getArguments().toByteArray()).reversed();
        try {
            boolean known = true;
            if (!callback.getFenced()) transfer(back);
            else known = undoFenced(callback, back);
            if (!known) result.setFailure(failure(CallbackFailure.Code.FENCE_ROW_MISSING, "there is no forward row"));
        } catch (SQLException e) {
            result.setFailure(failure(CallbackFailure.Code.THREW, String.valueOf(e.getMessage())));
        }
        return result.build();
    }

    private boolean undoFenced(Callback callback, TransferPayload back) throws SQLException {
        return database().inTransaction(connection -> {
            Compensation said = fence.compensation(
                    connection, callback.getSaga(), callback.getBranch(), callback.getForwardEnded());
            if (said == Compensation.RUN) AccountBooks.move(connection, back);
            return said != Compensation.FENCE_ROW_MISSING;
        });
    }

    private static CallbackFailure failure(CallbackFailure.Code code, String cause) {
        return CallbackFailure.newBuilder().setCode(code).setCause(cause).build();
    }

    private ConnectionPool database() {
        return Objects.requireNonNull(database, "a transfer of accounts needs a database");
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
        omega.close();
    }
}
