@NullMarked
package io.alphaomega.server.journal;

import org.jspecify.annotations.NullMarked;
