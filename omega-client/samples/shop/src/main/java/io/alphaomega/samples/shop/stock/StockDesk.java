package io.alphaomega.samples.shop.stock;

import io.alphaomega.omega.Participate;
import io.alphaomega.samples.shop.RefusedException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reserves articles for orders; alpha has them taken when the order is committed, and released when it is called off. */
@Service
public class StockDesk {
    private final Articles articles;
    private final Reservations reservations;

    StockDesk(Articles articles, Reservations reservations) {
        this.articles = articles;
        this.reservations = reservations;
    }

    @Transactional
    @Participate(confirmMethod = "take", cancelMethod = "release")
    public void reserve(String order, String article, int pieces) {
        find(article).reserve(pieces);
        reservations.save(new Reservation(order, article, pieces));
    }

    /** Makes final what {@link #reserve} holds. It refuses nothing: the order is committed. */
    @Transactional
    public void take(String order, String article, int pieces) {
        find(article).take(pieces);
        reservation(order, article).become(Reservation.State.TAKEN);
    }

    /** Gives back what {@link #reserve} holds. */
    @Transactional
    public void release(String order, String article, int pieces) {
        find(article).release(pieces);
        reservation(order, article).become(Reservation.State.RELEASED);
    }

    private Reservation reservation(String order, String article) {
        return reservations.getReferenceById(Reservation.id(order, article));
    }

    private Article find(String article) {
        return articles.findByName(article)
                .orElseThrow(() -> new RefusedException("There is no %s in stock.".formatted(article)));
    }
}
