/** How sagas travel with calls of gRPC. */
@NullMarked
package io.alphaomega.omega.transport.grpc;

import org.jspecify.annotations.NullMarked;
