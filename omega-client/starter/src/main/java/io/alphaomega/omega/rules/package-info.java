/**
 * What a service does around a branch and around a saga, as pure functions: no framework, no threads, no clock, no logs, no
 * wire. Drivers perform what the rules say, and feed them what came of it.
 */
@NullMarked
package io.alphaomega.omega.rules;

import org.jspecify.annotations.NullMarked;
