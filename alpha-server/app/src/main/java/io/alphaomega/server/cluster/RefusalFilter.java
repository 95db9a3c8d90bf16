package io.alphaomega.server.cluster;

import akka.actor.ActorSystem;
import akka.cluster.Cluster;
import akka.event.EventStream;
import akka.event.LogMarker;
import akka.event.slf4j.Slf4jLoggingFilter;
import com.typesafe.config.Config;

/**
 * What of Akka's messages is logged: not what it says of a node that was refused by its cluster. Alpha says that itself, in
 * the words of its own settings, while Akka recommends to join without the check.
 */
public final class RefusalFilter extends Slf4jLoggingFilter {
    private final Config config;

    /** Made by Akka. */
    public RefusalFilter(ActorSystem.Settings settings, EventStream events) {
        super(settings, events);
        this.config = settings.config();
    }

    @Override
    public boolean isErrorEnabled(Class<?> logClass, String logSource) {
        return !isRefused(logClass) && super.isErrorEnabled(logClass, logSource);
    }

    @Override
    public boolean isErrorEnabled(Class<?> logClass, String logSource, LogMarker marker) {
        return !isRefused(logClass) && super.isErrorEnabled(logClass, logSource, marker);
    }

    private boolean isRefused(Class<?> logClass) {
        return logClass == Cluster.class && JoinTerms.refusal(config).isPresent();
    }
}
