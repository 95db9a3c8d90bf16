package io.alphaomega.samples.bank.campaign;

/** Something that was to be broken was not: what the run shows proves nothing. */
final class NoEvidence extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoEvidence(String sentence) {
        super("The run is void: " + sentence);
    }
}
