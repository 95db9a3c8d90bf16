/**
 * Whether the checker sees anything: real alphas and real services with one bug each, under load and the few faults that
 * the bug needs.
 */
@NullMarked
package io.alphaomega.samples.bank.planted;

import org.jspecify.annotations.NullMarked;
