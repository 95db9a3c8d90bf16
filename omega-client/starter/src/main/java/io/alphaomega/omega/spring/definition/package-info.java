/**
 * Annotations as they are read: what a method says about its sagas, its branches and their callbacks. What makes no
 * sense is refused.
 */
@NullMarked
package io.alphaomega.omega.spring.definition;

import org.jspecify.annotations.NullMarked;
