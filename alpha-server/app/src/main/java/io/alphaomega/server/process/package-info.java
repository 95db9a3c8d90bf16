/** The process that a node is: its release, and its orderly end. */
@NullMarked
package io.alphaomega.server.process;

import org.jspecify.annotations.NullMarked;
