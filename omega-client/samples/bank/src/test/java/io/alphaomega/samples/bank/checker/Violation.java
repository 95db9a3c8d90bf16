package io.alphaomega.samples.bank.checker;

/**
 * A rule that was broken.
 *
 * @param sentence names the saga and what shows it
 */
public record Violation(Rule rule, String sentence) {
    @Override
    public String toString() {
        return rule + ": " + sentence;
    }
}
