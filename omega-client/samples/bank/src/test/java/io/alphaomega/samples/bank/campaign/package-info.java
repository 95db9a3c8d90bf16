/**
 * Faults of every kind, let loose on a cluster of alphas and a bank that works all the while. The processes are real, the
 * nodes have a network each, and what happened is judged by what three witnesses say.
 */
@NullMarked
package io.alphaomega.samples.bank.campaign;

import org.jspecify.annotations.NullMarked;
