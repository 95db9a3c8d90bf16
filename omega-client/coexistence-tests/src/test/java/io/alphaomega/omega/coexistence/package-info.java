/** That omega changes nothing else: services of one starter of Spring Boot's each, with it and without. */
@NullMarked
package io.alphaomega.omega.coexistence;

import org.jspecify.annotations.NullMarked;
