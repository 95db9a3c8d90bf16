/** What a service says about its omega, and how a wrong configuration is reported. */
@NullMarked
package io.alphaomega.omega.spring.config;

import org.jspecify.annotations.NullMarked;
