/**
 * Alpha and the services as processes, killed at every bad moment. A {@link
 * io.alphaomega.samples.booking.processes.Stage} is a whole installation with a directory of its own, a {@link
 * io.alphaomega.samples.booking.processes.Checker} reads the services' databases and alpha's API and says whether every
 * saga is whole.
 */
@NullMarked
package io.alphaomega.samples.booking.processes;

import org.jspecify.annotations.NullMarked;
