/** For tests of services that use omega: an alpha in memory, planned faults, and assertions on sagas. */
@NullMarked
package io.alphaomega.omega.test;

import org.jspecify.annotations.NullMarked;
