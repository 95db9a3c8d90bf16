package io.alphaomega.saga;

/** The name of one branch, unique within its saga; a repeated call of the same branch carries the same name. */
public record BranchId(String value) {
    public BranchId {
        Limits.requireId("branch id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
