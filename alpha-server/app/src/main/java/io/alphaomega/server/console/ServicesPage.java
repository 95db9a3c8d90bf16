package io.alphaomega.server.console;

import io.alphaomega.server.insight.ClusterInsight;
import java.time.Instant;

/** The services that take part. */
record ServicesPage(Instant now, ClusterInsight insight) {}
