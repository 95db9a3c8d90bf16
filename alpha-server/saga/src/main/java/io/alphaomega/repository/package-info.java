/** The repository SPI: where sagas live. A plugin implements {@link io.alphaomega.repository.SagaRepository}. */
@NullMarked
package io.alphaomega.repository;

import org.jspecify.annotations.NullMarked;
