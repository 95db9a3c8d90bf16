/** What methods are, in Java and in Kotlin: their names in sentences, what they return and when they are done. */
@NullMarked
package io.alphaomega.omega.spring.method;

import org.jspecify.annotations.NullMarked;
