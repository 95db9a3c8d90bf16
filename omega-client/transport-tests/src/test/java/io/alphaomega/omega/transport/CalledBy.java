package io.alphaomega.omega.transport;

/** By what {@link Calls} calls the stock. */
enum CalledBy {
    /** By nothing: the branch is in the process of the caller. */
    NONE("a method of the same service"),
    REST_CLIENT("`RestClient`"),
    REST_TEMPLATE("`RestTemplate`"),
    HTTP_INTERFACE("an HTTP interface"),
    WEB_CLIENT("`WebClient`"),
    FEIGN("OpenFeign"),
    GRPC("gRPC"),
    DUBBO("Dubbo, `dubbo`"),
    TRI("Dubbo, `tri`"),
    KAFKA("Kafka"),
    RABBITMQ("RabbitMQ");

    final String title;

    CalledBy(String title) {
        this.title = title;
    }

    /** Whether nobody waits for an answer. */
    boolean isMessage() {
        return this == KAFKA || this == RABBITMQ;
    }
}
