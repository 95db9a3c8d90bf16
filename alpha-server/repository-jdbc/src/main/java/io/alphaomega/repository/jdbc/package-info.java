/** What both SQL stores share, the embedded one and those on a server: one repository, its searches, and the rows they read. */
@NullMarked
package io.alphaomega.repository.jdbc;

import org.jspecify.annotations.NullMarked;
