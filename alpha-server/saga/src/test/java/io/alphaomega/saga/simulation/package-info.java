/**
 * A simulation of whole deployments around the rules of a saga, and the bugs planted to see that it would find one. One
 * seed is one history: one thread, virtual time.
 */
@NullMarked
package io.alphaomega.saga.simulation;

import org.jspecify.annotations.NullMarked;
