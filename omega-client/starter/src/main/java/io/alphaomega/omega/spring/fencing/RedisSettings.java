package io.alphaomega.omega.spring.fencing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.omega.fence.RedisFence;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a Redis keeps what the fence writes: as far as the server says that is asked. */
final class RedisSettings {
    private static final Logger log = LoggerFactory.getLogger(RedisSettings.class);

    private RedisSettings() {}

    /** @throws OmegaConfigurationException if it throws away rows when it is full */
    static void check(String bean, RedisFence.Scripts redis) {
        Info memory = info(redis, "memory");
        String policy = memory.get("maxmemory_policy", "noeviction");
        if (!policy.equals("noeviction") && !memory.get("maxmemory", "0").equals("0")) {
            throw new OmegaConfigurationException(
                    "The Redis '%s' has maxmemory-policy %s: when it is full it throws rows of the fence away, and a compensation would take what was done for what never was."
                            .formatted(bean, policy),
                    "Set maxmemory-policy to noeviction, or use another Redis for what branches write, or say fenced = false and read what that means.");
        }
        if (info(redis, "persistence").get("aof_enabled", "1").equals("0")) {
            log.warn(
                    "The Redis '{}' writes no log (appendonly no): when it stops it loses what branches have done since its"
                            + " last snapshot, together with the fence's rows. Set appendonly to yes, and appendfsync to"
                            + " always where nothing may be lost.",
                    bean);
        }
    }

    private static Info info(RedisFence.Scripts redis, String section) {
        List<?> said = redis.run(
                "return {redis.call('INFO', ARGV[1])}",
                List.of(RedisFence.ID_KEY.getBytes(UTF_8)),
                List.of(section.getBytes(UTF_8)));
        return said.get(0) instanceof byte[] text
                ? new Info(List.of(new String(text, UTF_8).split("\\R", -1)))
                : new Info(List.of());
    }

    private record Info(List<String> lines) {
        String get(String name, String otherwise) {
            return lines.stream()
                    .filter(line -> line.startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).trim().toLowerCase(Locale.ROOT))
                    .findFirst()
                    .orElse(otherwise);
        }
    }
}
