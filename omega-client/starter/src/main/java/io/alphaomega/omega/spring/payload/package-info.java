/** Arguments and results as bytes: each value comes back as it was, or is refused. */
@NullMarked
package io.alphaomega.omega.spring.payload;

import org.jspecify.annotations.NullMarked;
