/** What {@code scripts/demo} runs against the services: two trips, and their sagas as timelines. */
@NullMarked
package io.alphaomega.samples.booking.demo;

import org.jspecify.annotations.NullMarked;
