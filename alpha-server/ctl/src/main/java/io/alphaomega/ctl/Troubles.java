package io.alphaomega.ctl;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What keeps alpha from working or from seeing all there is, as it says itself. */
final class Troubles {
    static final String PATH = "/api/v1/troubles";

    private Troubles() {}

    /** None also of an alpha that does not answer, or not that: the command's own question says so. */
    static List<JsonNode> of(Api api) {
        try {
            return List.copyOf(api.look(PATH).body().path("troubles").values());
        } catch (Api.UnreachableException e) {
            return List.of();
        }
    }
}
