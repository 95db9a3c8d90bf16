/** What Micrometer observes of omega's work, and how a service says it in its own words. */
@NullMarked
package io.alphaomega.omega.observation;

import org.jspecify.annotations.NullMarked;
