package io.alphaomega.server.node;

import akka.actor.typed.ActorRef;

/**
 * Asks a node, from whichever node, to report.
 *
 * @param ofStore whether it shall name a saga of its store as well, which takes longer
 */
record AskNode(ActorRef<NodeReport> replyTo, boolean ofStore) implements NodeActor.Command {}
