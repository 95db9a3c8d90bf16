package io.alphaomega.repository.servers;

import java.io.IOException;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The end of a mounted disk. */
final class Mount {
    private Mount() {}

    /** A disk that is still in use is an exception, and gone as soon as it no longer is. */
    static void end(Path mount) throws IOException {
        try {
            Awaitility.await().atMost(Patience.LIMIT).ignoreExceptions().until(() -> {
                Command.run("umount", mount.toString());
                return true;
            });
        } catch (ConditionTimeoutException e) {
            Command.run("umount", "--lazy", mount.toString());
            throw new IOException("%s is still in use after %s".formatted(mount, Patience.LIMIT), e);
        }
    }
}
