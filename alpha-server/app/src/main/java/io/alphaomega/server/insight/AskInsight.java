package io.alphaomega.server.insight;

import akka.actor.typed.ActorRef;

/** Asks a node, from whichever node, for what people want to see of it. */
record AskInsight(ActorRef<Insight> replyTo, StuckFilter stuck) implements InsightActor.Command {}
