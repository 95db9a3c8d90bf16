package io.alphaomega.omega.spring.config;

import io.alphaomega.omega.OutsideSaga;
import io.alphaomega.omega.stream.AlphaClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a service may say about its omega.
 *
 * @param enabled Whether omega takes part in sagas. If not, the annotated methods are ordinary ones.
 * @param build Which build of the service this is: alpha takes it that what one instance cannot read, no other of its
 *     build can. Unless set, the version of the build and a checksum of what callbacks take.
 * @param alpha Where alpha is.
 * @param beginTimeout How long the begin of a branch, or of an eager saga, waits for alpha before it fails, its
 *     business not run.
 * @param ackTimeout How long the end of a branch waits for alpha's answer before it goes on in the background.
 * @param resendFor How long a report that alpha has not answered is sent again in the background.
 * @param holdFor How long a report waits for something to travel with before it is told by itself. Well below the time
 *     limits of branches.
 * @param drainTimeout How long a stopping service waits for running callbacks and unanswered reports.
 * @param saga Defaults for sagas.
 * @param compensable Defaults for branches.
 * @param callback How callbacks run.
 * @param clients Clients of other services.
 * @param payload How arguments and results are kept.
 * @param fence The guard in the service's database.
 * @param health What the health indicator says.
 */
@ConfigurationProperties("omega")
public record OmegaProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("") String build,
        @DefaultValue Alpha alpha,
        @DefaultValue("5s") Duration beginTimeout,
        @DefaultValue("2s") Duration ackTimeout,
        @DefaultValue("1h") Duration resendFor,
        @DefaultValue("1s") Duration holdFor,
        @DefaultValue("10s") Duration drainTimeout,
        @DefaultValue Saga saga,
        @DefaultValue Compensable compensable,
        @DefaultValue Callback callback,
        @DefaultValue Clients clients,
        @DefaultValue Payload payload,
        @DefaultValue Fence fence,
        @DefaultValue Health health) {

    /** Alpha accepts no longer build. */
    public static final int BUILD_CHARS_MAX = 64;

    /** Of an alpha beside the service. */
    private static final String ADDRESS = "127.0.0.1:8071";

    /** A caller that waits longer for a begin has gone long ago. */
    private static final Duration BEGIN_TIMEOUT_MAX = Duration.ofMinutes(10);

    /** Far beyond any use: alpha takes a branch for lost meanwhile. */
    private static final Duration HOLD_FOR_MAX = Duration.ofMinutes(10);

    /** Alpha accepts no longer saga. */
    private static final Duration SAGA_TIMEOUT_MAX = Duration.ofDays(30);

    /** Longer than any unsuspended callback is retried: alpha gives up after 24 hours unless told otherwise. */
    private static final Duration FENCE_RETENTION_MIN = Duration.ofDays(2);

    public OmegaProperties {
        if (build.length() > BUILD_CHARS_MAX) {
            throw new IllegalArgumentException("omega.build must have at most " + BUILD_CHARS_MAX
                    + " characters but has " + build.length() + ": '" + build + "'");
        }
        require("omega.begin-timeout", beginTimeout, BEGIN_TIMEOUT_MAX);
        require("omega.resend-for", resendFor, SAGA_TIMEOUT_MAX);
        require("omega.hold-for", holdFor, HOLD_FOR_MAX);
        settings(alpha.addresses(), alpha, ackTimeout, drainTimeout, callback);
    }

    /**
     * Where alpha is.
     *
     * @param addresses Addresses of one or more alphas as host:port; a host name may resolve to several.
     * @param serviceId Name of alpha in a registry that Spring Cloud's DiscoveryClient asks, in the place of addresses.
     * @param connectTimeout How long one attempt to connect may take, up to alpha's welcome.
     * @param reconnectDelayMax Longest pause between attempts to connect; it doubles from a fraction of a second.
     * @param unansweredInputs How many reports may be unanswered at once, begins in three quarters of it. More wait for
     *     room, then are refused. Ends that wait for the decision of their saga do not count.
     * @param ssl Whether connections are encrypted.
     */
    public record Alpha(
            @DefaultValue(ADDRESS) List<String> addresses,
            @DefaultValue("") String serviceId,
            @DefaultValue("5s") Duration connectTimeout,
            @DefaultValue("10s") Duration reconnectDelayMax,
            @DefaultValue("1024") int unansweredInputs,
            @DefaultValue Ssl ssl) {
        public Alpha {
            // Who has a registry may have to empty what a configuration says that is shared with others.
            if (addresses.isEmpty() && !serviceId.isBlank()) addresses = List.of(ADDRESS);
        }
    }

    /**
     * Whether connections to alpha are encrypted.
     *
     * @param enabled Whether to connect with TLS. By default if there is a bundle; without one, whom Java trusts is
     *     trusted.
     * @param bundle Name of the SSL bundle with whom to trust, and with the certificate to show if alpha asks for one.
     * @param serverName Name that alpha's certificate must be for, if it is not for the hosts of the addresses.
     */
    public record Ssl(
            @Nullable Boolean enabled,
            @DefaultValue("") String bundle,
            @DefaultValue("") String serverName) {

        public boolean isOn() {
            return enabled != null ? enabled : !bundle.isBlank();
        }
    }

    /**
     * Defaults for sagas.
     *
     * @param timeout How long a saga may take unless its @SagaStart says otherwise; then alpha aborts it.
     * @param begin When alpha hears of a saga: WITH_FIRST_BRANCH (one message less; the method runs without alpha, but no
     *     branch does) or EAGER (before the method runs).
     * @param decisionTimeout How long the end of a saga waits for alpha's decision before it throws
     *     SagaOutcomeUnknownException. By default until shortly after the saga's timeout, when alpha has decided.
     */
    public record Saga(
            @DefaultValue("5m") Duration timeout,
            @DefaultValue("WITH_FIRST_BRANCH") Begin begin,
            @Nullable Duration decisionTimeout) {

        /** When alpha hears of a saga. */
        public enum Begin {
            WITH_FIRST_BRANCH,
            EAGER
        }

        public Saga {
            require("omega.saga.timeout", timeout, SAGA_TIMEOUT_MAX);
            if (decisionTimeout != null) require("omega.saga.decision-timeout", decisionTimeout, SAGA_TIMEOUT_MAX);
        }
    }

    /**
     * Defaults for branches.
     *
     * @param end How alpha hears that a branch behind a fence has ended: WITH_ANSWER (with what the caller tells next, one
     *     message less) or EAGER (from this service, at once), for networks that drop headers of answers.
     * @param outside What becomes of a @Compensable method that is called outside a saga, where nobody undoes it: RUN,
     *     WARN (run, and name it once in the log) or REJECT. Unless its @Compensable says otherwise. By default WARN, but
     *     REJECT where the request or message that its thread serves names a saga.
     */
    public record Compensable(
            @DefaultValue("WITH_ANSWER") End end, @Nullable OutsideSaga outside) {

        /** How alpha hears that a branch behind a fence has ended. */
        public enum End {
            WITH_ANSWER,
            EAGER
        }

        public Compensable {
            if (outside == OutsideSaga.AS_CONFIGURED) {
                throw new IllegalArgumentException(
                        "omega.compensable.outside must be RUN, WARN or REJECT but is " + outside);
            }
        }
    }

    /**
     * How callbacks run.
     *
     * @param threads How many callbacks run at once.
     */
    record Callback(@DefaultValue("8") int threads) {}

    /**
     * Clients of other services.
     *
     * @param intended Clients of which the warnings at startup are answered, since they are as they are meant to be: names of
     *     beans, or of a bean and its field as bean.field.
     */
    record Clients(@DefaultValue List<String> intended) {}

    /**
     * How arguments and results are kept.
     *
     * @param encryption Whether what alpha and the fence keep can be read by them.
     * @param readBack When what was written is read back and compared: SAMPLED (the first value of each type and shape,
     *     then a sample) or ALWAYS, as in tests with @OmegaTest.
     */
    public record Payload(
            @DefaultValue Encryption encryption,
            @DefaultValue("SAMPLED") ReadBack readBack) {

        /** When what was written is read back and compared. */
        public enum ReadBack {
            SAMPLED,
            ALWAYS
        }
    }

    /**
     * Whether what alpha and the fence keep can be read by them.
     *
     * @param enabled Whether what is written is encrypted, if there are keys. If not, they only read.
     * @param keys Keys of AES by their ids: 16, 24 or 32 random bytes in base64.
     * @param activeKey Id of the key to encrypt with. All of them decrypt.
     * @param readPlain Whether what is not encrypted is read, as what was written before.
     */
    public record Encryption(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Map<String, String> keys,
            @DefaultValue("") String activeKey,
            @DefaultValue("true") boolean readPlain) {

        /** Without the keys. */
        @Override
        public String toString() {
            return "Encryption[enabled=" + enabled + ", keys=" + keys.keySet() + ", activeKey=" + activeKey
                    + ", readPlain=" + readPlain + "]";
        }
    }

    /**
     * The guard in the service's database.
     *
     * @param enabled Whether branches are fenced where the service has a DataSource.
     * @param createTable Whether to create the fence's table at start if it is missing.
     * @param retention How long fence rows are kept. Longer than a suspended saga may wait for a person.
     * @param purgeInterval How often old fence rows are deleted.
     */
    public record Fence(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("true") boolean createTable,
            @DefaultValue("90d") Duration retention,
            @DefaultValue("1h") Duration purgeInterval) {
        public Fence {
            require("omega.fence.purge-interval", purgeInterval, Duration.ofDays(30));
            if (retention.compareTo(FENCE_RETENTION_MIN) < 0) {
                throw new IllegalArgumentException("omega.fence.retention must be at least " + FENCE_RETENTION_MIN
                        + ", longer than any callback is retried, but is " + retention);
            }
        }
    }

    /**
     * What the health indicator says.
     *
     * @param disconnectedStatus Status of the health component while no alpha is connected. Requests outside sagas are
     *     served all the same.
     */
    public record Health(@DefaultValue("DOWN") String disconnectedStatus) {
        public Health {
            if (disconnectedStatus.isBlank()) {
                throw new IllegalArgumentException(
                        "omega.health.disconnected-status must be a status such as DOWN or UNKNOWN but is blank");
            }
        }
    }

    /** The settings of a client that connects to these addresses, whether they are the configured ones or others. */
    public AlphaClientSettings clientSettings(List<String> addresses) {
        return settings(addresses, alpha, ackTimeout, drainTimeout, callback);
    }

    private static AlphaClientSettings settings(
            List<String> addresses, Alpha alpha, Duration ackTimeout, Duration drainTimeout, Callback callback) {
        return new AlphaClientSettings(
                addresses,
                ackTimeout,
                alpha.connectTimeout(),
                alpha.reconnectDelayMax(),
                alpha.unansweredInputs(),
                callback.threads(),
                drainTimeout);
    }

    private static void require(String property, Duration value, Duration max) {
        if (value.isNegative() || value.isZero() || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    property + " must be more than 0 and at most " + max + " but is " + value);
        }
    }
}
