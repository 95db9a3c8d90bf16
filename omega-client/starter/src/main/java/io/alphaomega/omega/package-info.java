/** The public API of omega: its annotations, its exceptions, and the beans to inject. */
@NullMarked
package io.alphaomega.omega;

import org.jspecify.annotations.NullMarked;
