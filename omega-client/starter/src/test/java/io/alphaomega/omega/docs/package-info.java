/** What README and docs/ show of Java, word for word, so that it compiles. */
@NullMarked
package io.alphaomega.omega.docs;

import org.jspecify.annotations.NullMarked;
