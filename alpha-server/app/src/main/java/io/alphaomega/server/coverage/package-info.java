/** Which callbacks have run, so that people know which would run for the first time when they are needed. */
@NullMarked
package io.alphaomega.server.coverage;

import org.jspecify.annotations.NullMarked;
