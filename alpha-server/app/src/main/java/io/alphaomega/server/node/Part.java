package io.alphaomega.server.node;

import akka.actor.Address;
import akka.cluster.Member;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/**
 * A part of a cluster that does not hear the rest of it.
 *
 * @param nodes of the part
 * @param left all others; neither counts those that come or go
 */
record Part(Set<Address> nodes, Set<Address> left) {
    /**
     * Whether it is the part that the split brain resolver lets go on. Without any, where all are to end, a part that is
     * there has not ended.
     */
    boolean goesOn(Optional<Address> oldest, Resolver resolver) {
        if (nodes.isEmpty()) return false;
        return switch (resolver) {
            case KEEP_MAJORITY -> nodes.size() > left.size() || (nodes.size() == left.size() && hasLowest());
            // An oldest node that is alone is no better than any other, but of two.
            case KEEP_OLDEST ->
                oldest.filter(nodes::contains).isPresent()
                        ? nodes.size() > 1 || left.size() == 1
                        : nodes.size() > 1 && left.size() == 1;
            case DOWN_ALL -> true;
        };
    }

    private boolean hasLowest() {
        return Member.addressOrdering()
                        .compare(
                                Collections.min(nodes, Member.addressOrdering()),
                                Collections.min(left, Member.addressOrdering()))
                < 0;
    }
}
