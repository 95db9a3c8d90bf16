/** The service that books trips: it begins a saga and calls the other two. */
@NullMarked
package io.alphaomega.samples.booking.booking;

import org.jspecify.annotations.NullMarked;
