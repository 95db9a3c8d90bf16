/** Omega in a Spring Boot application: the auto-configuration, what it advises, and what it checks. */
@NullMarked
package io.alphaomega.omega.spring;

import org.jspecify.annotations.NullMarked;
