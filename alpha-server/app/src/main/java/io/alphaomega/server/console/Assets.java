package io.alphaomega.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.DigestUtils;
import org.webjars.WebJarVersionLocator;

/**
 * Where pages find their styles and scripts: at addresses that change with what is there. A browser may keep them for as
 * long as it likes, and has those of a newer alpha with the first page of it.
 */
final class Assets {
    private static final Map<String, String> URLS = new ConcurrentHashMap<>();

    private Assets() {}

    /** @param file in alpha's own directory of them */
    static String own(String file) {
        return URLS.computeIfAbsent(file, Assets::withDigest);
    }

    private static String withDigest(String file) {
        String path = "/console/" + file;
        try (InputStream content = new ClassPathResource("static" + path).getInputStream()) {
            return path + "?" + DigestUtils.md5DigestAsHex(content).substring(0, 12);
        } catch (IOException e) {
            throw new UncheckedIOException("There is no static%s in alpha's jar".formatted(path), e);
        }
    }

    /** @param file of a library that comes as a WebJar; its version is in the address */
    static String of(String library, String file) {
        return URLS.computeIfAbsent(library + "/" + file, any -> {
            String path = new WebJarVersionLocator().path(library, file);
            return "/webjars/" + Objects.requireNonNull(path, "There is no WebJar " + library + " in alpha's lib");
        });
    }
}
