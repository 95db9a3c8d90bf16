/** One order for many sagas. */
@NullMarked
package io.alphaomega.server.bulk;

import org.jspecify.annotations.NullMarked;
