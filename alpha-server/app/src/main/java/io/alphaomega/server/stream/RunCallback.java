package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Callback;

/** A callback on its way to a connection, on whichever node that is. Its time counts from its arrival there. */
record RunCallback(Callback callback) implements Connection.Command {}
