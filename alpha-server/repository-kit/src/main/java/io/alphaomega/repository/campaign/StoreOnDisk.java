package io.alphaomega.repository.campaign;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.ServerProcess;
import java.nio.file.Path;
import java.util.List;

/**
 * A store whose data lie in a directory, so that a campaign can kill it, copy what it left and start it again.
 *
 * <p>A campaign also makes an instance in another process, by the name of the class and its constructor without
 * arguments: there it only opens.
 */
public interface StoreOnDisk {

    /**
     * Starts the store on a directory that is missing, empty, or has what an earlier start left there, at whatever
     * moment. Returns once it serves. No process uses the directory any more, whatever a file in it says: it may be
     * what is left of a machine that is gone.
     */
    Running start(Path directory);

    /** A repository on a running store, by the address that {@link #start} gave, in any process. */
    SagaRepository open(String address);

    /**
     * A store that runs.
     *
     * @param address a word for {@link StoreOnDisk#open}
     * @param processes the servers, to be killed, stopped for a moment and started again; none if the store is part of
     *     whoever opens it
     */
    record Running(String address, List<ServerProcess> processes) implements AutoCloseable {
        public Running {
            processes = List.copyOf(processes);
        }

        void kill() {
            processes.forEach(ServerProcess::kill);
        }

        /** Starts those that do not run. */
        void startAgain() {
            for (ServerProcess each : processes) {
                if (!each.isRunning()) each.start();
            }
        }

        void pause() {
            processes.forEach(ServerProcess::pause);
        }

        void resume() {
            processes.forEach(ServerProcess::resume);
        }

        /** Kills them. The directory stays. */
        @Override
        public void close() {
            kill();
        }
    }
}
