/** The interceptors around annotated methods. */
@NullMarked
package io.alphaomega.omega.spring.advice;

import org.jspecify.annotations.NullMarked;
