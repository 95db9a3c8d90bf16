/** Real servers, networks and disks for tests: what starts them, what breaks them, what is done about one that is missing. */
@NullMarked
package io.alphaomega.repository.servers;

import org.jspecify.annotations.NullMarked;
