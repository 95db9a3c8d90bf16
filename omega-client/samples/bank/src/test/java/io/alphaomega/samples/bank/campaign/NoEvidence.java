package io.alphaomega.samples.bank.campaign;

/** Something that was to be broken was not, as far as could be seen: the blow does not count. */
final class NoEvidence extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoEvidence(String sentence) {
        super(sentence);
    }
}
