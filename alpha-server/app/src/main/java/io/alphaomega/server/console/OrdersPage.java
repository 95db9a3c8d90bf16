package io.alphaomega.server.console;

import io.alphaomega.server.queries.OrderHistory;
import java.util.Map;

/**
 * Who ordered what.
 *
 * @param given what the form was filled in with, by the names of its fields
 * @param next where the next page is; empty if there is none
 * @param refusal why nothing was looked for; empty if it was
 */
record OrdersPage(OrderHistory history, Map<String, String> given, String next, String refusal) {
    String given(String field) {
        return given.getOrDefault(field, "");
    }
}
