@NullMarked
package io.alphaomega.server.traces;

import org.jspecify.annotations.NullMarked;
