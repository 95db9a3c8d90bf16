/** The conversation with alpha over gRPC, free of Spring. */
@NullMarked
package io.alphaomega.omega.stream;

import org.jspecify.annotations.NullMarked;
