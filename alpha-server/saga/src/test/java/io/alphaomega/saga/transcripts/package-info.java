/** The rules, shown by example: text files of inputs and what follows from them. */
@NullMarked
package io.alphaomega.saga.transcripts;

import org.jspecify.annotations.NullMarked;
