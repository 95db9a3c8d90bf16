/** The repository on SQL databases; {@link io.alphaomega.repository.jdbc.JdbcSagaRepository} is all of it that others see. */
@NullMarked
package io.alphaomega.repository.jdbc;

import org.jspecify.annotations.NullMarked;
