/** The service that books hotel rooms. */
@NullMarked
package io.alphaomega.samples.booking.hotel;

import org.jspecify.annotations.NullMarked;
