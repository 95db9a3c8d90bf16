package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaEffect;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One connection of a service, as {@link Participant#name} says what it is, and what it has been asked. */
final class Seat {
    /** Number, capacity, whether its fences can be asked, instance, build. */
    private static final Pattern NAME = Pattern.compile("\\d+-(?:(\\d{1,5})-)?(!)?([^~]+)(?:~(.+))?");

    final ActorRef<RunCallback> connection;
    final String instance;

    /** Empty if an older node has the connection, which does not say. */
    final String build;

    final int capacity;

    /** Not if its omega or the node that has the connection is older: an omega that does not know the question would err. */
    final boolean inquirable;

    final boolean here;
    final Map<CallbackRequest.Key, CallbackRequest> underWay = new LinkedHashMap<>();
    boolean open = true;

    Seat(ActorRef<RunCallback> connection, boolean here) {
        Matcher name = NAME.matcher(connection.path().name());
        if (!name.matches()) throw new IllegalArgumentException(connection + " is not named as a connection is.");
        this.connection = connection;
        this.capacity = name.group(1) == null ? Participant.CAPACITY : Integer.parseInt(name.group(1));
        this.inquirable = name.group(2) != null;
        this.instance = URLDecoder.decode(name.group(3), StandardCharsets.UTF_8);
        this.build = name.group(4) == null ? "" : URLDecoder.decode(name.group(4), StandardCharsets.UTF_8);
        this.here = here;
    }

    /** Whether no instance of its build has said that it cannot. */
    boolean mayRun(SagaEffect.Call call) {
        return build.isEmpty() || !call.unable().contains(build);
    }
}
