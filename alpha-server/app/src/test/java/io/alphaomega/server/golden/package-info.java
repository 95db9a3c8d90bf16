/** What a released version has written, stored for good, and today's code reading it. */
@NullMarked
package io.alphaomega.server.golden;

import org.jspecify.annotations.NullMarked;
