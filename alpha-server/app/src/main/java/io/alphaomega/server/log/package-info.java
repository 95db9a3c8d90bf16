/** How alpha's log is written: by threads of its own, and so that nobody outside can forge a line of it. */
@NullMarked
package io.alphaomega.server.log;

import org.jspecify.annotations.NullMarked;
