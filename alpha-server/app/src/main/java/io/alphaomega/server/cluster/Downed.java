package io.alphaomega.server.cluster;

import io.alphaomega.server.log.Announcement;

/**
 * The end of a node whose sagas are others' now: it must not go on as if it owned them. Nothing that was acknowledged is
 * lost, so it ends at once; its services go to the others as soon as their streams break. Whoever runs it starts it again.
 *
 * @param why a part of a sentence
 */
public record Downed(String why) implements Runnable {
    /** The exit code by which a supervisor, and a person, tell this from other ends. */
    public static final int EXIT_CODE = 4;

    /** The others have taken it for dead, or it is cut off from most of them. */
    public static Downed takenForDead() {
        return new Downed(
                "the other nodes of the cluster could not reach it, or it was cut off with the smaller half of"
                        + " them, so its sagas continue elsewhere");
    }

    /** Its cluster was founded beside a larger one. */
    public static Downed inTheSmallerCluster() {
        return new Downed("there is a larger cluster on the same store, to which its seed nodes belong");
    }

    /** It alone has lost the store. */
    public static Downed withoutStore() {
        return new Downed("it does not reach the store, which other nodes do, so its sagas continue there");
    }

    /** It would take sagas of the others for new ones. */
    public static Downed withAnotherStore() {
        return new Downed("its store is not that of the oldest node of the cluster");
    }

    /** As the oldest node it should have the coordinator of the shards, and does not. */
    public static Downed withoutSingletons() {
        return new Downed("what the oldest node of a cluster must run does not run on it, so sagas wait");
    }

    @Override
    public void run() {
        Announcement.make(
                System.err, "alpha ends with " + EXIT_CODE + ": " + why + "; start it again and it joins anew.");
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
