/** Sagas and branches that code says by itself. */
@NullMarked
package io.alphaomega.omega.spring.template;

import org.jspecify.annotations.NullMarked;
