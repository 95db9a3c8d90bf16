/** What a service tells alpha about its sagas and branches, and what the answers mean. */
@NullMarked
package io.alphaomega.omega.spring.reporting;

import org.jspecify.annotations.NullMarked;
