package io.alphaomega.samples.shop.stock;

import io.alphaomega.samples.shop.RefusedException;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An article: how many were delivered to the stock, are on the shelf, and are reserved. The rest is taken. */
@Entity
class Article {
    @Id
    private String name = "";

    private int delivered;
    private int shelf;
    private int reserved;

    /** For JPA. */
    protected Article() {}

    void reserve(int pieces) {
        if (shelf < pieces) {
            throw new RefusedException("%d of %s were ordered, %d are left.".formatted(pieces, name, shelf));
        }
        shelf -= pieces;
        reserved += pieces;
    }

    void take(int pieces) {
        reserved -= pieces;
    }

    void release(int pieces) {
        reserved -= pieces;
        shelf += pieces;
    }

    String name() {
        return name;
    }

    int delivered() {
        return delivered;
    }

    int shelf() {
        return shelf;
    }

    int reserved() {
        return reserved;
    }
}
