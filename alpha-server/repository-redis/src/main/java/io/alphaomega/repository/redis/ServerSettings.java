package io.alphaomega.repository.redis;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the settings of a server, as they are now, mean for what it has acknowledged. */
final class ServerSettings {
    private static final String UNKNOWN = "unknown";

    /** The first that has all the commands that the scripts use. */
    private static final String OLDEST_VERSION = "6.2";

    private final Operation operation;
    private final Server server;
    private final Settings wanted;
    private final ServerInfo info;

    private ServerSettings(Operation operation, Server server, Settings wanted) {
        this.operation = operation;
        this.server = server;
        this.wanted = wanted;
        info = ServerInfo.of(server, operation);
    }

    /**
     * The durability of the server that promises least.
     *
     * @throws IllegalStateException if one of them must not be used
     */
    static Durability durability(Operation operation, Settings wanted) {
        List<Durability> each = new ArrayList<>();
        for (Server server : operation.primaries()) {
            ServerSettings settings = new ServerSettings(operation, server, wanted);
            settings.refuse();
            each.add(settings.durability());
        }
        Durability weakest = each.getFirst();
        for (Durability other : each) {
            if (other.level().compareTo(weakest.level()) < 0) weakest = other;
        }
        if (!operation.isCluster()) return weakest;
        return new Durability(
                weakest.level(),
                "Redis Cluster of %d primaries, the weakest of which: %s".formatted(each.size(), weakest.settings()));
    }

    private void refuse() {
        if (info.text("loading").equals("1")) {
            throw new RepositoryUnavailableException(
                    server.name() + " is reading its data after a start and not ready yet: try again when it has.");
        }
        if (!info.text("role").equals("master")) {
            throw refused("role is '%s': appends would be refused. Give alpha the address of the primary, %s:%s."
                    .formatted(info.text("role"), info.text("master_host"), info.text("master_port")));
        }
        if (isOlderThan(info.text("redis_version"))) {
            throw refused("its version is %s, but alpha needs %s or newer."
                    .formatted(info.text("redis_version"), OLDEST_VERSION));
        }
        String policy = info.text("maxmemory_policy");
        if (!policy.equals("noeviction") && !policy.isEmpty()) {
            throw refused("maxmemory-policy is '%s': it would delete sagas when memory is short. Set it to noeviction."
                    .formatted(policy));
        }
        if (!appendsToDisk() && !wanted.allowVolatile()) {
            throw refused(
                    "appendonly is 'no': a restart would lose what it has acknowledged. Set it to yes, and appendfsync"
                            + " to always or everysec; or set alpha.repository.redis.allow-volatile=true if these sagas"
                            + " may be lost.");
        }
        if (replicas() < wanted.waitReplicas()) {
            throw new RepositoryUnavailableException(
                    "%s has %d replicas, but alpha.repository.redis.wait-replicas is %d: no append would be acknowledged."
                            .formatted(server.name(), replicas(), wanted.waitReplicas()));
        }
    }

    private IllegalStateException refused(String why) {
        return new IllegalStateException(server.name() + " must not be used: " + why);
    }

    private static boolean isOlderThan(String version) {
        String[] found = version.split("\\.", 3);
        String[] oldest = OLDEST_VERSION.split("\\.", 2);
        try {
            int major = Integer.compare(Integer.parseInt(found[0]), Integer.parseInt(oldest[0]));
            return major < 0
                    || (major == 0 && found.length > 1 && Integer.parseInt(found[1]) < Integer.parseInt(oldest[1]));
        } catch (NumberFormatException e) {
            // Not Redis, but something that speaks as it does: whether it can do everything is seen by the first
            // append.
            return false;
        }
    }

    private boolean appendsToDisk() {
        return info.text("aof_enabled").equals("1");
    }

    private long replicas() {
        return info.number("connected_slaves");
    }

    private Durability durability() {
        Map<String, String> config = config();
        String fsync = config.getOrDefault("appendfsync", UNKNOWN);
        boolean duringRewrite =
                !config.getOrDefault("no-appendfsync-on-rewrite", "no").equals("yes");
        StringBuilder settings = new StringBuilder("Redis %s, appendonly=%s, appendfsync=%s, maxmemory-policy=%s"
                .formatted(
                        info.text("redis_version"),
                        appendsToDisk() ? "yes" : "no",
                        fsync,
                        info.text("maxmemory_policy").isEmpty() ? UNKNOWN : info.text("maxmemory_policy")));
        Level level;
        if (!appendsToDisk()) {
            level = Level.VOLATILE;
            settings.append(": a restart of Redis loses everything since its last snapshot, or everything");
        } else if (fsync.equals("always") && duringRewrite) {
            level = Level.POWER_LOSS;
        } else {
            // With everysec, Redis answers before it writes while a sync of the second before is still under way.
            boolean writtenFirst = fsync.equals("always") || fsync.equals("no");
            level = writtenFirst ? Level.PROCESS_CRASH : Level.VOLATILE;
            settings.append(loss(fsync));
        }
        if (wanted.waitReplicas() > 0) {
            settings.append("; %d of %d replicas confirm each append".formatted(wanted.waitReplicas(), replicas()));
            if (wanted.waitReplicas() < replicas()) {
                settings.append(": a failover to another of them loses what that has not");
            } else if (level == Level.POWER_LOSS) {
                level = Level.FAILOVER;
            } else {
                settings.append(": a failover loses nothing, but the level is that of the disk");
            }
        }
        return new Durability(level, settings.toString());
    }

    private static String loss(String fsync) {
        return switch (fsync) {
            case "everysec" -> ": a power failure, or a kill while the disk is slow, loses up to two seconds";
            case "always" ->
                ", no-appendfsync-on-rewrite=yes: a power failure while the log is rewritten loses what came since";
            case "no" -> ": a power failure loses what the system has not written yet, half a minute and more";
            default ->
                " (CONFIG is not allowed to this user), so that this counts as everysec: a power failure, or a kill"
                        + " while the disk is slow, loses up to two seconds";
        };
    }

    /** Empty where {@code CONFIG} is forbidden, as managed operation do. */
    private Map<String, String> config() {
        try {
            return ScriptCalls.one(operation, server.asking(), commands -> commands.configGet("*append*"));
        } catch (RepositoryUnavailableException e) {
            if (e.getCause() instanceof RedisCommandExecutionException) return Map.of();
            throw e;
        }
    }
}
