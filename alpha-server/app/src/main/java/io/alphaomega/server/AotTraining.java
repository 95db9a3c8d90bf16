package io.alphaomega.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The training run of alpha's AOT cache (JEP 483, 514): nodes that begin and end in one process, one after the other, each
 * on another store, because the JDK makes a cache of what one process did. Who runs it makes the load.
 */
final class AotTraining {
    private AotTraining() {}

    /** Each line of the input is a node's arguments. A node ends when the next line comes, or the input ends. */
    public static void main(String[] args) throws IOException {
        try {
            train();
            System.exit(0);
        } catch (RuntimeException | Error alreadyReported) {
            System.exit(1);
        }
    }

    private static void train() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null) {
            ConfigurableApplicationContext node = AlphaServer.application().run(line.split(" "));
            line = lines.readLine();
            node.close();
        }
    }
}
