/** On which thread actors run: where possible on the one that has something for them, without a change of threads. */
@NullMarked
package io.alphaomega.server.turn;

import org.jspecify.annotations.NullMarked;
