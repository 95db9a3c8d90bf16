package io.alphaomega.server.queries;

import io.alphaomega.repository.SagaSummary;
import java.util.Map;

/**
 * How many sagas there are, as JSON.
 *
 * @param byState as stored
 * @param unreadable how many of them this node could not read, whatever state is stored
 */
public record Counts(Map<SagaSummary.State, Long> byState, int unreadable) {}
