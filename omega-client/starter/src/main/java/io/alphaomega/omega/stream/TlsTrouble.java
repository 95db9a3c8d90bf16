package io.alphaomega.omega.stream;

import io.alphaomega.omega.stream.AlphaTrust.RefusedCertificateException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why two do not come to terms about TLS: what was expected, what was found, and what to do. */
final class TlsTrouble {
    /** What comes from a TLS server where an HTTP/2 server was expected: a record of TLS, mostly an alert. */
    private static final Pattern TLS_FOUND =
            Pattern.compile("Hex dump for (first|received).*: 1[4-7]03", Pattern.DOTALL);

    /** So gRPC says of a server that says nothing; one of TLS may do that. */
    private static final String CLOSED = "Network closed for unknown reason";

    private static final String REMEDY =
            "set omega.alpha.ssl.bundle, or omega.alpha.ssl.enabled=true if Java trusts alpha's certificate";

    private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");

    private TlsTrouble() {}

    /**
     * The clause that continues "No connection to alpha …:", if TLS is what the problem is about, of one that was never
     * welcomed.
     *
     * @param tls what was offered; null for none
     */
    static Optional<String> of(Throwable problem, @Nullable AlphaTls tls) {
        if (tls == null) return withoutTls(messages(problem));
        for (Throwable each = problem; each != null; each = each.getCause()) {
            if (each instanceof RefusedCertificateException) return Optional.ofNullable(each.getMessage());
        }
        for (Throwable each = problem; each != null; each = each.getCause()) {
            if (each instanceof SSLException) return Optional.of(of(String.valueOf(each.getMessage()), tls));
        }
        return Optional.empty();
    }

    private static String of(String message, AlphaTls tls) {
        // So Netty says, whose class has another name in each starter.
        if (message.startsWith("not an SSL/TLS record")) {
            return "it answers without TLS, which omega.alpha.ssl asks for: set alpha.grpc.ssl.bundle there, or"
                    + " omega.alpha.ssl.enabled=false here";
        }
        Matcher alert = ALERT.matcher(message);
        if (!alert.find()) return "TLS failed: " + message;
        String said = alert.group(1);
        if (said.equals("protocol_version") || (said.equals("handshake_failure") && tls.showsCertificate())) {
            return "it speaks no TLS that this service speaks (" + said
                    + "): compare the protocols and ciphers of both SSL bundles";
        }
        if (tls.showsCertificate()) {
            return "it refuses the certificate that " + tls.source() + " has (" + said
                    + "): its log says why; it must be valid, and alpha's SSL bundle must trust its authority";
        }
        return "it wants a certificate of this service (" + said + "), and " + tls.source()
                + " has none: name an SSL bundle with a keystore in omega.alpha.ssl.bundle";
    }

    private static Optional<String> withoutTls(String messages) {
        if (TLS_FOUND.matcher(messages).find()) {
            return Optional.of("it answers with TLS, and this service connects without: " + REMEDY);
        }
        if (messages.contains(CLOSED)) {
            return Optional.of(
                    "it closed the connection without a word; if it wants TLS, or a balancer before it does: "
                            + REMEDY);
        }
        return Optional.empty();
    }

    private static String messages(Throwable problem) {
        StringBuilder all = new StringBuilder();
        for (Throwable each = problem; each != null; each = each.getCause()) {
            all.append(each.getMessage()).append('\n');
        }
        return all.toString();
    }
}
