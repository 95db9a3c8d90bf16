/** What the tests add to a service that they start. */
@NullMarked
package io.alphaomega.samples.shop.campaign.hooks;

import org.jspecify.annotations.NullMarked;
