package io.alphaomega.samples.shop.shipping;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The parcels over HTTP, for whoever looks. */
@RestController
class ShippingController {
    private final Packer packer;

    ShippingController(Packer packer) {
        this.packer = packer;
    }

    record View(String order, String state) {}

    @GetMapping("/parcels")
    List<View> parcels() {
        return packer.parcels().stream()
                .map(each -> new View(each.orderId(), each.state()))
                .toList();
    }
}
