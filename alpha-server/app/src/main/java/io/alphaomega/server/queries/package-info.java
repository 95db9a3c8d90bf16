/** What is asked of sagas and their journals, for the REST API, the console and the streams of changes alike. */
@NullMarked
package io.alphaomega.server.queries;

import org.jspecify.annotations.NullMarked;
