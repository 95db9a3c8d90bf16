package io.alphaomega.samples.booking.booking;

import io.alphaomega.samples.booking.RefusedException;
import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What the other services say when they fail: a problem detail (RFC 9457), as this one does. */
final class Explanations implements RestClient.ResponseSpec.ErrorHandler {
    private final JsonMapper json;

    Explanations(JsonMapper json) {
        this.json = json;
    }

    /** Always throws: a refusal where the service decided so, a failure otherwise. */
    @Override
    public void handle(HttpRequest request, ClientHttpResponse response) throws IOException {
        if (response.getStatusCode().isSameCodeAs(HttpStatus.CONFLICT)) throw new RefusedException(sentence(response));
        throw new RestClientException("%s answered %s. %s"
                .formatted(request.getURI(), response.getStatusCode(), sentence(response))
                .strip());
    }

    /** The detail, if all of it came: a service that dies while it refuses has refused all the same. */
    private String sentence(ClientHttpResponse response) {
        try {
            return json.readTree(response.getBody()).path("detail").asString("");
        } catch (IOException | JacksonException brokenOff) {
            return "Its explanation broke off.";
        }
    }
}
