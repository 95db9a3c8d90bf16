package io.alphaomega.omega.transport;

/** By what {@link CostShop} calls itself. */
enum CostTransport {
    /** Not at all: the branch is in the process of the caller. */
    NONE("a method of the same service"),
    REST_CLIENT("`RestClient`"),
    WEB_CLIENT("`WebClient`"),
    FEIGN("OpenFeign"),
    GRPC("gRPC"),
    KAFKA("Kafka"),
    RABBITMQ("RabbitMQ");

    final String title;

    CostTransport(String title) {
        this.title = title;
    }
}
