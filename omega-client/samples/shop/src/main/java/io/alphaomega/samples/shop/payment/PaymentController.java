package io.alphaomega.samples.shop.payment;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The cash desk over HTTP. Which saga a request belongs to comes with its headers; omega sees to that. */
@RestController
class PaymentController {
    private final Cashier cashier;

    PaymentController(Cashier cashier) {
        this.cashier = cashier;
    }

    record Paid(String order, long cents, String state) {}

    record Till(long cents) {}

    @PostMapping("/payments")
    @ResponseStatus(HttpStatus.CREATED)
    void charge(@RequestBody Charge charge) {
        cashier.charge(charge);
    }

    @GetMapping("/payments")
    List<Paid> payments() {
        return cashier.payments().stream()
                .map(each -> new Paid(each.orderId(), each.cents(), each.state()))
                .toList();
    }

    @GetMapping("/till")
    Till till() {
        return new Till(cashier.till());
    }
}
