/** How times are measured, and where metrics are sent. */
@NullMarked
package io.alphaomega.server.meters;

import org.jspecify.annotations.NullMarked;
