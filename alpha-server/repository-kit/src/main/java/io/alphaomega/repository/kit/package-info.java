/** The contract that every repository passes, and a reference repository in memory. For tests only. */
@NullMarked
package io.alphaomega.repository.kit;

import org.jspecify.annotations.NullMarked;
