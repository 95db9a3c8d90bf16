package io.alphaomega.omega;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Where alpha is. A bean of this type replaces {@code omega.alpha.addresses} and {@code omega.alpha.ssl}. */
@FunctionalInterface
public interface AlphaConnectionDetails extends ConnectionDetails {

    /** {@code host:port} of one or more alphas, or of a name that resolves to several. */
    List<String> addresses();

    /** The bundle that encrypts connections; null for plain ones. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
