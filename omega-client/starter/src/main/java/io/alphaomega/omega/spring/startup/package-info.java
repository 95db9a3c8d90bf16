/**
 * What is looked at before a service starts: beans, proxies, clients and contexts that could not keep what the
 * annotations promise.
 */
@NullMarked
package io.alphaomega.omega.spring.startup;

import org.jspecify.annotations.NullMarked;
