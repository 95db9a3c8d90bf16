package io.alphaomega.omega.coexistence.service;

import java.util.function.BiConsumer;
import org.springframework.context.ConfigurableApplicationContext;

/** Something that the service does: a bean of it, which says what came of that. */
interface Trial {
    void run(ConfigurableApplicationContext service, BiConsumer<String, String> facts) throws Exception;
}
