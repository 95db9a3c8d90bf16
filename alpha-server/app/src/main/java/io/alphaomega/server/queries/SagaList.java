package io.alphaomega.server.queries;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the saga list, as JSON.
 *
 * @param sagas the youngest first
 * @param next the cursor of the next page; null on the last one
 */
public record SagaList(List<SagaRow> sagas, @Nullable String next) {}
