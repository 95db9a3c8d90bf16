package io.alphaomega.saga;

import java.util.Map;
import java.util.Optional;

/**
 * Who began a saga, and what it is about.
 *
 * @param service the service by {@code spring.application.name}; empty while only a branch has been seen
 * @param instance the instance of it
 * @param operation the method, for people
 * @param businessKey a key of the business, for search; empty if there is none
 * @param attributes up to {@link Limits#ATTRIBUTES}, for search
 * @param start which of several starts began the saga, if it may begin only once; else empty
 * @param parent which branch of another saga it is, if it is nested
 */
public record Initiator(
        String service,
        String instance,
        String operation,
        String businessKey,
        Map<String, String> attributes,
        String start,
        Optional<Parent> parent) {
    /** Of a saga of which only a branch has been seen so far. */
    public static final Initiator UNKNOWN = new Initiator("", "", "", "", Map.of());

    public Initiator {
        Limits.requireName("service", service);
        Limits.requireName("instance", instance);
        Limits.requireName("operation", operation);
        Limits.requireName("business key", businessKey);
        attributes = Limits.requireAttributes(attributes);
        Limits.requireName("start", start);
    }

    /** Of a saga that is no part of another. */
    public Initiator(
            String service,
            String instance,
            String operation,
            String businessKey,
            Map<String, String> attributes,
            String start) {
        this(service, instance, operation, businessKey, attributes, start, Optional.empty());
    }

    /** Of a saga that whoever knows its id may begin again. */
    public Initiator(
            String service, String instance, String operation, String businessKey, Map<String, String> attributes) {
        this(service, instance, operation, businessKey, attributes, "");
    }
}
