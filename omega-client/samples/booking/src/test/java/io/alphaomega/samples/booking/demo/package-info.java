@NullMarked
package io.alphaomega.samples.booking.demo;

import org.jspecify.annotations.NullMarked;
