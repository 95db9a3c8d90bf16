@NullMarked
package io.alphaomega.server.changes;

import org.jspecify.annotations.NullMarked;
