package io.alphaomega.server.saga;

/**
 * The end of a node that the others have taken for dead: they have its sagas now, and it must not go on as if it owned
 * them. Nothing that was acknowledged is lost, so it ends at once; its services go to the others as soon as their streams
 * break. Whoever runs it starts it again.
 */
final class Downed implements Runnable {
    /** The exit code by which a supervisor, and a person, tell this from other ends. */
    static final int EXIT_CODE = 4;

    @Override
    public void run() {
        System.err.println("alpha ends with " + EXIT_CODE + ": the other nodes of the cluster could not reach it, or it"
                + " was cut off with the smaller half of them, so its sagas go on elsewhere; start it again and it joins"
                + " anew.");
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
