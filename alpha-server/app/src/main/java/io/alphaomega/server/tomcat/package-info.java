/** What Tomcat answers by itself, before Spring sees a request. */
@NullMarked
package io.alphaomega.server.tomcat;

import org.jspecify.annotations.NullMarked;
