/** The embedded store: SQLite in a directory, with one writer and tables of its own. */
@NullMarked
package io.alphaomega.repository.jdbc.embedded;

import org.jspecify.annotations.NullMarked;
