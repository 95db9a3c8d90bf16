/** The least that a service is. */
@org.jspecify.annotations.NullMarked
package io.alphaomega.samples.minimal;
