package io.alphaomega.repository.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DisksTest {
    @TempDir
    Path directory;

    @Test
    void a_power_cut_takes_what_was_not_synced() throws Exception {
        if (!LoopDisk.isPossible(directory)) {
            assertRefused(() -> LoopDisk.blank(directory.resolve("disk"), 8));
            return;
        }
        try (LoopDisk disk = LoopDisk.blank(directory.resolve("disk"), 8)) {
            Path synced = Files.writeString(disk.path().resolve("synced"), "safe");
            try (FileChannel channel = FileChannel.open(synced, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.writeString(disk.path().resolve("written"), "not safe");
            try (LoopDisk after = disk.cut(directory.resolve("after"))) {
                assertThat(after.path().resolve("synced")).hasContent("safe");
                assertThat(after.path().resolve("written")).doesNotExist();
            }
        }
    }

    @Test
    void a_full_disk_takes_nothing_until_it_is_freed() throws Exception {
        if (!TmpfsDisk.isPossible(directory)) {
            assertRefused(() -> TmpfsDisk.blank(directory.resolve("disk"), 1));
            return;
        }
        try (TmpfsDisk disk = TmpfsDisk.blank(directory.resolve("disk"), 1)) {
            disk.fill();
            Path file = disk.path().resolve("file");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> Files.writeString(file, "too much"));
            disk.free();
            assertThat(Files.writeString(file, "enough")).hasContent("enough");
        }
    }

    /** Where no disk can be mounted there is none to test. */
    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable mount) {
        System.out.println("No disk can be mounted here (that takes root).");
        assertThatExceptionOfType(IOException.class).isThrownBy(mount);
    }
}
