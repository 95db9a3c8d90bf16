/**
 * What is asked of an installation after a campaign: three witnesses as plain records, and rules that are functions of
 * them. Nothing here knows alpha's or omega's code.
 */
@NullMarked
package io.alphaomega.samples.bank.checker;

import org.jspecify.annotations.NullMarked;
