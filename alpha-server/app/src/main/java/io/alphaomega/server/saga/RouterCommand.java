package io.alphaomega.server.saga;

import akka.actor.NoSerializationVerificationNeeded;

/** What the router of callbacks of a node is told, by the sagas and the connections of that node only. */
public interface RouterCommand extends NoSerializationVerificationNeeded {}
