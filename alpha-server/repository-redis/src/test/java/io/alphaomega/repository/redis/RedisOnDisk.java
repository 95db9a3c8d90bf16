package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.servers.RedisServer;
import java.nio.file.Path;
import java.util.List;

/** A Redis that syncs before it answers. */
class RedisOnDisk implements StoreOnDisk {
    /** A Redis that leaves it to the system when to write. */
    static final class NotSynced extends RedisOnDisk {
        @Override
        String fsync() {
            return "no";
        }
    }

    String fsync() {
        return "always";
    }

    @Override
    public Running start(Path directory) {
        // With logs that are rewritten in between.
        RedisServer server = RedisServer.start(directory, "appendfsync " + fsync(), "auto-aof-rewrite-min-size 1mb");
        return new Running(Integer.toString(server.port()), List.of(server.process()));
    }

    @Override
    public SagaRepository open(String address) {
        return new RedisSagaRepository(RedisSagaRepository.Settings.of("redis://127.0.0.1:" + address));
    }
}
