package io.alphaomega.samples.shop.shipping;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hears which parcels to pack. A message brings its saga along, and one that comes again, such as after a crash, brings the
 * same branch: a parcel is packed once, also if the order is committed by then. If it is called off meanwhile, the message
 * is done with.
 */
@Component
class ParcelListener {
    private final Packer packer;
    private final JsonMapper json;

    ParcelListener(Packer packer, JsonMapper json) {
        this.packer = packer;
        this.json = json;
    }

    @KafkaListener(topics = "parcels")
    void pack(String message) {
        packer.pack(json.readValue(message, Parcel.class));
        packer.release();
    }
}
