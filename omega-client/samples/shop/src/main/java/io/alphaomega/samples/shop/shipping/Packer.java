package io.alphaomega.samples.shop.shipping;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.samples.shop.RefusedException;
import java.util.List;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Packs parcels, and unpacks those of orders that are called off. */
@Service
public class Packer {
    private final JdbcClient database;

    Packer(JdbcClient database) {
        this.database = database;
    }

    /** A parcel as it is now; {@code state} is PACKED or UNPACKED. */
    public record Packed(String orderId, String address, String state) {}

    @Transactional
    @Compensable(compensationMethod = "unpack")
    public void pack(Parcel parcel) {
        if (!parcel.address().contains(",")) {
            throw new RefusedException(
                    "No carrier finds '%s': an address has a street and a town, with a comma between."
                            .formatted(parcel.address()));
        }
        database.sql("insert into parcel (order_id, address, state) values (?, ?, 'PACKED')")
                .params(parcel.order(), parcel.address())
                .update();
    }

    /** Undoes {@link #pack}. */
    @Transactional
    public void unpack(Parcel parcel) {
        database.sql("update parcel set state = 'UNPACKED' where order_id = ?")
                .param(parcel.order())
                .update();
    }

    /** Everything is done: ends the saga that the shop has begun. Returns only if it is committed. */
    @SagaEnd
    public void release() {}

    List<Packed> parcels() {
        return database.sql("select order_id, address, state from parcel")
                .query(DataClassRowMapper.newInstance(Packed.class))
                .list();
    }
}
