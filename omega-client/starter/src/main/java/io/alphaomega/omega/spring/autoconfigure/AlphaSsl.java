package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.AlphaConnectionDetails;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaTls;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * TLS to alpha as {@code omega.alpha.ssl} has it. Of a bundle that is renewed, the next connection has the new one, and
 * those that are up go on.
 */
final class AlphaSsl implements Supplier<AlphaTls> {
    private static final Logger log = LoggerFactory.getLogger(AlphaClient.class);

    private final String source;
    private final String serverName;
    private volatile AlphaTls current;

    private AlphaSsl(String source, String serverName, SslBundle bundle) {
        this.source = source;
        this.serverName = serverName;
        this.current = tls(bundle);
    }

    /**
     * TLS as the details say, if there are any, otherwise the properties; null for none.
     *
     * @throws OmegaConfigurationException if there is no such bundle, or it cannot be used
     */
    static @Nullable Supplier<AlphaTls> of(
            OmegaProperties.Ssl ssl, @Nullable AlphaConnectionDetails details, ObjectProvider<SslBundles> bundles) {
        if (details != null) {
            SslBundle bundle = details.getSslBundle();
            return bundle == null ? null : new AlphaSsl("the SSL bundle of the connection details", "", bundle);
        }
        if (ssl.enabled() == null && ssl.bundle().isBlank() && !ssl.serverName().isBlank()) {
            throw new OmegaConfigurationException(
                    "omega.alpha.ssl.server-name is '" + ssl.serverName() + "', but TLS is not asked for.",
                    "Name a bundle in omega.alpha.ssl.bundle, or set omega.alpha.ssl.enabled to true or false.");
        }
        if (!ssl.isOn()) return null;
        requireName(ssl.serverName());
        if (ssl.bundle().isBlank()) return new AlphaSsl("Java", ssl.serverName(), SslBundle.systemDefault());
        return named(ssl, bundles.getIfAvailable());
    }

    private static void requireName(String serverName) {
        try {
            if (!serverName.isEmpty()) new SNIHostName(serverName);
        } catch (IllegalArgumentException e) {
            throw new OmegaConfigurationException(
                    "omega.alpha.ssl.server-name must be a host's name as certificates have it, but is '" + serverName
                            + "'.",
                    "Name a host that alpha's certificate is for, of letters, digits, - and ., without a port.");
        }
    }

    private static AlphaSsl named(OmegaProperties.Ssl ssl, @Nullable SslBundles bundles) {
        String name = ssl.bundle();
        if (bundles == null) throw missing(name, List.of());
        try {
            AlphaSsl followed =
                    new AlphaSsl("the SSL bundle '" + name + "'", ssl.serverName(), bundles.getBundle(name));
            bundles.addBundleUpdateHandler(name, followed::renew);
            return followed;
        } catch (NoSuchSslBundleException e) {
            throw missing(name, bundles.getBundleNames());
        }
    }

    private static OmegaConfigurationException missing(String name, List<String> known) {
        return new OmegaConfigurationException(
                "omega.alpha.ssl.bundle must be an SSL bundle, "
                        + (known.isEmpty() ? "of which there is none" : "such as " + String.join(", ", known))
                        + ", but is '" + name + "'.",
                "Define spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name
                        + ", or name another one.");
    }

    @Override
    public AlphaTls get() {
        return current;
    }

    private void renew(SslBundle bundle) {
        try {
            current = tls(bundle);
            log.info("{} now counts for the next connection to alpha; existing ones continue.", source);
        } catch (OmegaConfigurationException e) {
            log.error("{} It was renewed, and new connections have what it had before.", e.problem());
        }
    }

    private AlphaTls tls(SslBundle bundle) {
        try {
            KeyManager[] keys = hasKey(bundle) ? bundle.getManagers().getKeyManagers() : null;
            return AlphaTls.of(
                    source,
                    bundle.getProtocol(),
                    keys,
                    bundle.getManagers().getTrustManagers(),
                    listOf(bundle.getOptions().getEnabledProtocols()),
                    listOf(bundle.getOptions().getCiphers()),
                    serverName);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new OmegaConfigurationException(
                    "omega.alpha.ssl: " + source + " cannot be used: " + reason(e) + ".",
                    "Correct the files and passwords that it names.");
        }
    }

    private static boolean hasKey(SslBundle bundle) throws GeneralSecurityException {
        KeyStore store = bundle.getStores().getKeyStore();
        if (store == null) return false;
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) return true;
        }
        return false;
    }

    private static List<String> listOf(String @Nullable [] values) {
        return values == null ? List.of() : List.of(values);
    }

    /** All that Spring Boot and Java say of it; the innermost names the file. */
    private static String reason(Throwable failure) {
        StringBuilder reason = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = each.getMessage() == null ? each.getClass().getSimpleName() : each.getMessage();
            if (reason.indexOf(message) >= 0) continue;
            if (reason.length() > 0) reason.append(": ");
            reason.append(message);
        }
        return reason.toString().replaceFirst("[.]$", "");
    }
}
