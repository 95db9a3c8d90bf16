/** One order for many stuck sagas. */
@NullMarked
package io.alphaomega.server.bulk;

import org.jspecify.annotations.NullMarked;
