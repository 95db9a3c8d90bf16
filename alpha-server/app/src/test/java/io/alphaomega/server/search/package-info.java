@NullMarked
package io.alphaomega.server.search;

import org.jspecify.annotations.NullMarked;
