package io.alphaomega.server;

import io.alphaomega.server.log.QueuedLog;
import io.alphaomega.server.process.Stop;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.ServiceLinks;
import io.alphaomega.server.properties.UnknownProperties;
import io.alphaomega.server.properties.UnreadableText;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/**
 * One alpha node.
 *
 * <p>Exit codes: 0 after SIGTERM, 1 when it cannot start (the reason is one sentence on stderr), 2 when a stop took
 * longer than {@link Stop#WITHIN}, 3 when it ran out of memory, 4 when its sagas go on elsewhere.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(AlphaProperties.class)
public class AlphaServer {
    private static final int START_FAILED = 1;

    public static void main(String[] args) {
        Stop.onSignals();
        SpringApplication application = application();
        application.addInitializers(Stop::closes);
        try {
            application.run(args);
            Stop.started();
        } catch (RuntimeException | Error alreadyReported) {
            if (!Stop.isUnderWay()) System.exit(START_FAILED);
        }
    }

    static SpringApplication application() {
        SpringApplication application = new SpringApplication(AlphaServer.class);
        application.addListeners(new QueuedLog());
        application.addInitializers(context -> ServiceLinks.ignore(context.getEnvironment()));
        application.addInitializers(context -> UnreadableText.refuse(context.getEnvironment()));
        application.addInitializers(context -> UnknownProperties.refuse(context.getEnvironment()));
        return application;
    }
}
