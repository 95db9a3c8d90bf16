/** What the tests add to the processes that they start. */
@NullMarked
package io.alphaomega.samples.bank.campaign.hooks;

import org.jspecify.annotations.NullMarked;
