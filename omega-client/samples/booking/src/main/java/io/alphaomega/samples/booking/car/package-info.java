/** The service that rents cars. */
@NullMarked
package io.alphaomega.samples.booking.car;

import org.jspecify.annotations.NullMarked;
