/** What users of omega write and catch: its annotations and its exceptions. */
@NullMarked
package io.alphaomega.omega;

import org.jspecify.annotations.NullMarked;
