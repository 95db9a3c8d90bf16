/** Tests of the shell: the rules are real, the store is in memory and fails where it is told to. */
@NullMarked
package io.alphaomega.server.saga;

import org.jspecify.annotations.NullMarked;
