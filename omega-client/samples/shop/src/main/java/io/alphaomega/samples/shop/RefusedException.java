package io.alphaomega.samples.shop;

/** A business rule said no; the message is a sentence for the customer. */
public class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RefusedException(String sentence) {
        super(sentence);
    }
}
