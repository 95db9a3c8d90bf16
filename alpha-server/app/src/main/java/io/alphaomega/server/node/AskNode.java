package io.alphaomega.server.node;

import akka.actor.typed.ActorRef;

/** Asks a node, from whichever node, to report. */
record AskNode(ActorRef<NodeReport> replyTo) implements NodeActor.Command {}
