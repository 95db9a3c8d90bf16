package io.alphaomega.samples.shop.shipping;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Cards over HTTP, and the parcels for whoever looks. Which saga a request belongs to comes with its headers. */
@RestController
class ShippingController {
    private final Packer packer;
    private final CardPrinter printer;

    ShippingController(Packer packer, CardPrinter printer) {
        this.packer = packer;
        this.printer = printer;
    }

    record View(String order, String state) {}

    @PostMapping("/cards")
    @ResponseStatus(HttpStatus.CREATED)
    void print(@RequestBody Card card) {
        printer.print(card);
    }

    @GetMapping("/cards")
    List<View> cards() {
        return printer.cards().stream()
                .map(each -> new View(each.orderId(), each.state()))
                .toList();
    }

    @GetMapping("/parcels")
    List<View> parcels() {
        return packer.parcels().stream()
                .map(each -> new View(each.orderId(), each.state()))
                .toList();
    }
}
