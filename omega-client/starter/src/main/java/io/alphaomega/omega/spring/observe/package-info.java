/** Metrics and traces of sagas, branches and callbacks. */
@NullMarked
package io.alphaomega.omega.spring.observe;

import org.jspecify.annotations.NullMarked;
