/** What each node of the cluster says of itself. */
@NullMarked
package io.alphaomega.server.node;

import org.jspecify.annotations.NullMarked;
