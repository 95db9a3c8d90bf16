/** What makes a node a member: how it joins and leaves, what it must have in common with the others, who has left. */
@NullMarked
package io.alphaomega.server.cluster;

import org.jspecify.annotations.NullMarked;
