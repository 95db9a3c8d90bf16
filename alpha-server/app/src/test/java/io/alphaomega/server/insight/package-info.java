@NullMarked
package io.alphaomega.server.insight;

import org.jspecify.annotations.NullMarked;
