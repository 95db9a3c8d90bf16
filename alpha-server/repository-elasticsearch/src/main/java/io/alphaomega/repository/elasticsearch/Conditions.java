package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary.State;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What documents must meet, as filters of a search. They may let through a few more than are looked for: of texts there
 * are only grams, and a document that an earlier alpha has written is without some fields.
 */
record Conditions(ArrayNode filter) {
    /** So many leave next to nothing but what has the whole text. */
    private static final int GRAMS = 32;

    void of(SagaQuery query) {
        ObjectNode begun = range(filter, "begunAt");
        query.from().ifPresent(from -> begun.put("gte", from.toString()));
        query.to().ifPresent(to -> begun.put("lt", to.toString()));
        query.id()
                .ifPresent(id ->
                        filter.addObject().putObject("ids").putArray("values").add(id.value()));
        query.service().ifPresent(service -> term(filter, "services", service));
        if (!query.states().isEmpty()) states(filter, query.states().stream());
        query.operation().ifPresent(operation -> term(orWithout("operation.indexed"), "operation.indexed", operation));
        query.businessKey().ifPresent(key -> term(orWithout("businessKey.indexed"), "businessKey.indexed", key));
        query.attribute().ifPresent(attribute -> term(filter, "attributes", attribute.text()));
        query.changedSince()
                .ifPresent(since -> range(orWithout("updatedAt.indexed"), "updatedAt.indexed")
                        .put("gte", since.toString()));
        query.lasting().ifPresent(this::lasting);
        query.text().filter(text -> !text.isEmpty()).ifPresent(this::mayMention);
        query.reason().filter(text -> !text.isEmpty()).ifPresent(this::mayMention);
    }

    private static void term(ArrayNode conditions, String field, String value) {
        conditions.addObject().putObject("term").putObject(field).put("value", value);
    }

    /** Any of what is added to this, or the field was not known yet when the document was written. */
    private ArrayNode orWithout(String field) {
        ArrayNode either = either(filter);
        exists(either.addObject().putObject("bool").putArray("must_not"), field);
        return either;
    }

    private static ArrayNode either(ArrayNode filter) {
        return filter.addObject().putObject("bool").putArray("should");
    }

    private static void exists(ArrayNode conditions, String field) {
        conditions.addObject().putObject("exists").put("field", field);
    }

    private void lasting(SagaQuery.Lasting lasting) {
        ArrayNode either = either(filter);
        range(either, "tookMillis").put("gte", lasting.atLeast().toMillis());
        ObjectNode open = either.addObject().putObject("bool");
        exists(open.putArray("must_not"), "endedAt");
        range(open.putArray("filter"), "begunAt")
                .put("lte", lasting.openBegunBy().toString());
        ObjectNode ofAnEarlierAlpha = either.addObject().putObject("bool");
        exists(ofAnEarlierAlpha.putArray("must_not"), "tookMillis");
        exists(ofAnEarlierAlpha.putArray("filter"), "endedAt");
    }

    /** What has the grams of a text, or may have the text without them. */
    private void mayMention(String text) {
        ArrayNode either = either(filter);
        mentions(either.addObject().putObject("bool").putArray("filter"), text);
        states(either, Stream.of(State.values()).filter(state -> !SummaryFields.isByGrams(state)));
    }

    private static void mentions(ArrayNode filter, String text) {
        if (Grams.isShort(text)) {
            filter.addObject().putObject("prefix").putObject("grams").put("value", Grams.folded(text));
        } else {
            Grams.whole(text).stream().limit(GRAMS).forEach(gram -> term(filter, "grams", gram));
        }
    }

    static void states(ArrayNode filter, Stream<State> states) {
        ArrayNode any = filter.addObject().putObject("terms").putArray("state");
        states.forEach(state -> any.add(state.name()));
    }

    /** Without bounds it still wants the field to be there. */
    static ObjectNode range(ArrayNode filter, String field) {
        return filter.addObject().putObject("range").putObject(field);
    }
}
