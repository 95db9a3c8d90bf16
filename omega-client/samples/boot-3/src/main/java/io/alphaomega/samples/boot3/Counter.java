package io.alphaomega.samples.boot3;

import io.alphaomega.omega.SagaStart;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Where a saga begins: an order here, and a piece of the stock over there. */
@Service
class Counter {
    private final Purchases purchases;
    private final RestClient stock;

    Counter(Purchases purchases, RestClient.Builder stock, @Value("${shop.stock}") String url) {
        this.purchases = purchases;
        this.stock = stock.baseUrl(url).build();
    }

    @SagaStart(timeout = "60s")
    public void sell(String item) {
        purchases.order(item);
        stock.post().uri("/stock/{item}", item).retrieve().toBodilessEntity();
    }
}
