package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Shards;
import java.util.BitSet;

/** The sagas that an alpha node has, as far as it has said so. */
final class Homes {
    static final Homes UNKNOWN = new Homes(1, new BitSet());

    private final int shards;
    private final BitSet here;

    private Homes(int shards, BitSet here) {
        this.shards = shards;
        this.here = here;
    }

    static Homes of(Shards said) {
        if (said.getCount() <= 0) return UNKNOWN;
        BitSet here = new BitSet(said.getCount());
        for (int shard : said.getHereList()) {
            if (shard >= 0 && shard < said.getCount()) here.set(shard);
        }
        return new Homes(said.getCount(), here);
    }

    boolean have(String saga) {
        return here.get(Math.floorMod(saga.hashCode(), shards));
    }
}
