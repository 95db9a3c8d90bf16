/** What Spring Boot puts together: the beans of omega, for the libraries that are there. */
@NullMarked
package io.alphaomega.omega.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
