package io.alphaomega.server;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** One alpha node. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(AlphaProperties.class)
public class AlphaServer {

    public static void main(String[] args) {
        SpringApplication.run(AlphaServer.class, args);
    }
}
