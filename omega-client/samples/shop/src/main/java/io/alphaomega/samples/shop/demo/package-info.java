/** What {@code scripts/demo shop} runs against the services: orders, and an audit of what became of them. */
@NullMarked
package io.alphaomega.samples.shop.demo;

import org.jspecify.annotations.NullMarked;
