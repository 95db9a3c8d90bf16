/** For the tests of services that carry an omega: an alpha in memory, what goes wrong, and how sagas end. */
@NullMarked
package io.alphaomega.omega.test;

import org.jspecify.annotations.NullMarked;
