package io.alphaomega.omega;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Where alpha is. A bean of this type takes the place of {@code omega.alpha.addresses}. */
@FunctionalInterface
public interface AlphaConnectionDetails extends ConnectionDetails {

    /** {@code host:port} of one or more alphas, or of a name that resolves to several. */
    List<String> addresses();
}
