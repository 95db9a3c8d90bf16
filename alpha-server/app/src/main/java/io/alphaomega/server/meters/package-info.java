/** How times are measured. */
@NullMarked
package io.alphaomega.server.meters;

import org.jspecify.annotations.NullMarked;
