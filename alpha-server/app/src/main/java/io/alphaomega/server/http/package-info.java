/** The REST API under {@code /api/v1}: its routes, what they take and what they answer. */
@NullMarked
package io.alphaomega.server.http;

import org.jspecify.annotations.NullMarked;
