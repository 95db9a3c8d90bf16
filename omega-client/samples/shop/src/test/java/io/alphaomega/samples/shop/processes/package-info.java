/** The shop as users start it, by its script: alpha, the services, MariaDB and the broker as processes. */
@NullMarked
package io.alphaomega.samples.shop.processes;

import org.jspecify.annotations.NullMarked;
