/**
 * Faults of every kind, let loose on the shop, its databases, its broker, three alphas and their store while customers order all the while. The
 * processes are real, and what became of each order is judged by what the databases, the mails and alpha say.
 */
@NullMarked
package io.alphaomega.samples.shop.campaign;

import org.jspecify.annotations.NullMarked;
