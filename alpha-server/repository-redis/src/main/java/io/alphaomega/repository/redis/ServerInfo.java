package io.alphaomega.repository.redis;

import java.util.HashMap;
import java.util.Map;

/** What a server says of itself by {@code INFO}. */
record ServerInfo(Map<String, String> values) {
    static ServerInfo of(Server server, Operation operation) {
        Map<String, String> values = new HashMap<>();
        ScriptCalls.one(operation, server.asking(), commands -> commands.info())
                .lines()
                .forEach(line -> {
                    int colon = line.indexOf(':');
                    if (colon > 0) values.put(line.substring(0, colon), line.substring(colon + 1));
                });
        return new ServerInfo(values);
    }

    String text(String name) {
        return values.getOrDefault(name, "");
    }

    long number(String name) {
        try {
            return Long.parseLong(text(name));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    boolean isCluster() {
        return text("cluster_enabled").equals("1");
    }
}
