/** The service that keeps accounts; a bank has several of them, each with accounts of its own. */
@NullMarked
package io.alphaomega.samples.bank.accounts;

import org.jspecify.annotations.NullMarked;
