@NullMarked
package io.alphaomega.samples.booking.booking;

import org.jspecify.annotations.NullMarked;
