/** What the three services share: their database files and the shape of their error answers. */
@NullMarked
package io.alphaomega.samples.booking;

import org.jspecify.annotations.NullMarked;
