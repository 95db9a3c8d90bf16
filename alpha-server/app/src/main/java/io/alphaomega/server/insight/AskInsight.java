package io.alphaomega.server.insight;

import akka.actor.typed.ActorRef;
import io.alphaomega.server.bulk.BulkStatus;
import java.util.Optional;

/**
 * Asks a node, from whichever node, for what people want to see of it.
 *
 * @param put a bulk order that the node is to know from now on, and what has become of it, if there is one
 */
record AskInsight(ActorRef<Insight> replyTo, StuckFilter stuck, Optional<BulkStatus> put)
        implements InsightActor.Command {}
