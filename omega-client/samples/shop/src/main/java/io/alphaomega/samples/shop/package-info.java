/** What the services share: refusals, and how they answer them. */
@NullMarked
package io.alphaomega.samples.shop;

import org.jspecify.annotations.NullMarked;
