/** What every store must survive: {@code kill -9} under load, power cuts, full disks. For tests only. */
@NullMarked
package io.alphaomega.repository.campaign;

import org.jspecify.annotations.NullMarked;
