package io.alphaomega.samples.bank.teller;

import io.alphaomega.omega.SagaStart;
import io.alphaomega.samples.bank.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Moves money: a row in the book, a withdrawal in one service, a deposit in another; all of it or nothing. */
@Service
public class TransferService {
    private final TransferBook book;
    private final TellerProperties services;
    private final RestClient http;
    private final JsonMapper json;

    TransferService(TransferBook book, TellerProperties services, RestClient.Builder http, JsonMapper json) {
        this.book = book;
        this.services = services;
        this.json = json;
        this.http =
                http.defaultStatusHandler(HttpStatusCode::isError, this::fail).build();
    }

    /** Returns only if the saga is committed. An exception aborts it: what was done until then is undone. */
    @SagaStart
    public void transfer(TransferOrder order) {
        book.enter(order);
        post(services.keeperOf(order.from()).resolve("/withdrawals"), order, order.from());
        post(services.keeperOf(order.to()).resolve("/deposits"), order, order.to());
    }

    private void post(URI to, TransferOrder order, String account) {
        http.post()
                .uri(to)
                .body(Map.of("transfer", order.id(), "account", account, "amount", order.amount()))
                .retrieve()
                .toBodilessEntity();
    }

    /** The other services explain themselves with a problem detail, as this one does. */
    private void fail(HttpRequest request, ClientHttpResponse response) throws IOException {
        if (response.getStatusCode().isSameCodeAs(HttpStatus.CONFLICT)) throw new RefusedException(detail(response));
        throw new RestClientException("%s answered %s. %s"
                .formatted(request.getURI(), response.getStatusCode(), detail(response))
                .strip());
    }

    /** The detail, if all of it came: a service that dies while it refuses has refused all the same. */
    private String detail(ClientHttpResponse response) {
        try {
            return json.readTree(response.getBody()).path("detail").asString("");
        } catch (IOException | JacksonException brokenOff) {
            return "Its explanation broke off.";
        }
    }
}
