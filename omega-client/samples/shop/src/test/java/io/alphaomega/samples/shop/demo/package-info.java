/** Whether the audit would notice. */
@NullMarked
package io.alphaomega.samples.shop.demo;

import org.jspecify.annotations.NullMarked;
