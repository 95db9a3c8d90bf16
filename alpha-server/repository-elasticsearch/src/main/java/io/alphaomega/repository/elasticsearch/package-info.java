/** Sagas in Elasticsearch or OpenSearch, and an index of their summaries beside another store. */
@NullMarked
package io.alphaomega.repository.elasticsearch;

import org.jspecify.annotations.NullMarked;
