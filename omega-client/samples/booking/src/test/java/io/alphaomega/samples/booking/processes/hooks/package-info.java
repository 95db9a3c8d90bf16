/** What the tests add to the class path of the processes that they start, so that these halt where they are told to. */
@NullMarked
package io.alphaomega.samples.booking.processes.hooks;

import org.jspecify.annotations.NullMarked;
