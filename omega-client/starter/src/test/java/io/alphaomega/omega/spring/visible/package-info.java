/** A class whose superclass only its package sees. */
@NullMarked
package io.alphaomega.omega.spring.visible;

import org.jspecify.annotations.NullMarked;
