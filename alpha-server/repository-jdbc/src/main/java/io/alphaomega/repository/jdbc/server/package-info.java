/** The stores on a server, MySQL, MariaDB and PostgreSQL: several alphas write to one at the same time. */
@NullMarked
package io.alphaomega.repository.jdbc.server;

import org.jspecify.annotations.NullMarked;
