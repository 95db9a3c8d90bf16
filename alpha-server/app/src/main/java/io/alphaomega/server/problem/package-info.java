/** The reasons why a request is refused, in the words of the API. */
@NullMarked
package io.alphaomega.server.problem;

import org.jspecify.annotations.NullMarked;
