/** What the parts of a saga's way through alpha cost, by JMH; scripts/bench runs them. */
@NullMarked
package io.alphaomega.server.bench;

import org.jspecify.annotations.NullMarked;
