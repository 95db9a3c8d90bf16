/** The conversation with omegas: one gRPC stream per connection, and the router of callbacks. */
@NullMarked
package io.alphaomega.server.stream;

import org.jspecify.annotations.NullMarked;
