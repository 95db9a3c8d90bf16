package io.alphaomega.samples.bank.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports that nobody listens on. They stay the same over restarts, so they are chosen here and not by the servers. */
final class Ports {
    private Ports() {}

    static List<Integer> free(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            List<Integer> ports =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) socket.close();
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
