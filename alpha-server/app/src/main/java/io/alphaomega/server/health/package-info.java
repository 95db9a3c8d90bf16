/** What this node says of itself under {@code /actuator/health} and {@code /actuator/info}. */
@NullMarked
package io.alphaomega.server.health;

import org.jspecify.annotations.NullMarked;
