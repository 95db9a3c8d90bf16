/** The service that customers talk to: it begins the sagas. */
@NullMarked
package io.alphaomega.samples.bank.teller;

import org.jspecify.annotations.NullMarked;
