/** What people and their tools see of alpha over HTTP: the REST API under {@code /api/v1}, health and info. */
@NullMarked
package io.alphaomega.server.http;

import org.jspecify.annotations.NullMarked;
