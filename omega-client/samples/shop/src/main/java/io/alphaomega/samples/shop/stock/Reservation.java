package io.alphaomega.samples.shop.stock;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;

/** Pieces of an article that an order holds, has taken, or has given back. */
@Entity
class Reservation {
    enum State {
        HELD,
        TAKEN,
        RELEASED
    }

    @Id
    private String id = "";

    private String orderId = "";
    private String article = "";
    private int pieces;

    @Enumerated(EnumType.STRING)
    private State state = State.HELD;

    /** For JPA. */
    protected Reservation() {}

    Reservation(String orderId, String article, int pieces) {
        this.id = id(orderId, article);
        this.orderId = orderId;
        this.article = article;
        this.pieces = pieces;
    }

    /** An order holds an article once. */
    static String id(String orderId, String article) {
        return orderId + "/" + article;
    }

    void become(State next) {
        state = next;
    }

    String orderId() {
        return orderId;
    }

    String article() {
        return article;
    }

    int pieces() {
        return pieces;
    }

    State state() {
        return state;
    }
}
