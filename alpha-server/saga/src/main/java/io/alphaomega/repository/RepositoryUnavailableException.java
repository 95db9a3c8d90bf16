package io.alphaomega.repository;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/** The store did not answer as it should. After an append the outcome is unknown; anything else may simply be repeated. */
public final class RepositoryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 2;

    private final boolean refusal;

    public RepositoryUnavailableException(String message) {
        this(message, null, false);
    }

    public RepositoryUnavailableException(String message, Throwable cause) {
        this(message, cause, false);
    }

    /** @param refusal whether the store is there, and refuses whoever asks, so that somebody must change something first */
    public RepositoryUnavailableException(String message, @Nullable Throwable cause, boolean refusal) {
        super(message, cause);
        this.refusal = refusal;
    }

    /** Whether the store refuses alpha, as for its password, or alpha the store's certificate: to wait for it is in vain. */
    public boolean isRefusal() {
        if (refusal) return true;
        for (Throwable at = getCause(); at != null; at = at.getCause()) {
            if (at instanceof CertificateException || at instanceof CertPathBuilderException) return true;
        }
        return false;
    }
}
