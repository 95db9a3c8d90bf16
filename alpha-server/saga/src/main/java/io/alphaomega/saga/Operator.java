package io.alphaomega.saga;

/**
 * A person who intervenes.
 *
 * @param who the person's name
 * @param why the reason given; journaled with the intervention
 */
public record Operator(String who, String why) {
    public Operator {
        if (who.isBlank()) throw new IllegalArgumentException("the operator's name is blank");
        if (why.isBlank()) throw new IllegalArgumentException("the operator's reason is blank");
        Limits.requireName("operator", who);
        why = Limits.shortened(why, Limits.REASON_CHARS);
    }
}
