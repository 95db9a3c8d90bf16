/** How sagas travel by HTTP: servlets, WebFlux and Spring's clients. */
@NullMarked
package io.alphaomega.omega.transport.http;

import org.jspecify.annotations.NullMarked;
