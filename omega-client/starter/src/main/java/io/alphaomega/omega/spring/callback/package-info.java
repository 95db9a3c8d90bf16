/** What alpha asks for: compensations, confirmations, and what a fence has of a branch. */
@NullMarked
package io.alphaomega.omega.spring.callback;

import org.jspecify.annotations.NullMarked;
