/** The fence: a row in the participant's own database that makes callbacks effectively-once. Free of Spring. */
@NullMarked
package io.alphaomega.omega.fence;

import org.jspecify.annotations.NullMarked;
