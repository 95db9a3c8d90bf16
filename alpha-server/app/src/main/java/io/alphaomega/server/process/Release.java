package io.alphaomega.server.process;

import java.util.Objects;

/** The release of this alpha. */
public final class Release {
    private Release() {}

    /** From the jar's manifest. */
    public static String version() {
        return Objects.requireNonNullElse(Release.class.getPackage().getImplementationVersion(), "development");
    }
}
