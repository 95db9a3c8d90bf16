/** What people want to see of the whole cluster, gathered from its nodes: services, rates, and what is stuck. */
@NullMarked
package io.alphaomega.server.insight;

import org.jspecify.annotations.NullMarked;
