package io.alphaomega.benchmark.measure;

import java.util.List;
import java.util.stream.Stream;

/**
 * Whether a load's own book-keeping, alpha's API and what the simulated participants saw agree.
 *
 * @param checked what was compared, a sentence each
 * @param mismatches what did not agree, a sentence each
 */
public record Verification(List<String> checked, List<String> mismatches) {
    public Verification {
        checked = List.copyOf(checked);
        mismatches = List.copyOf(mismatches);
    }

    public boolean verified() {
        return mismatches.isEmpty();
    }

    /** Of both. */
    public Verification and(Verification other) {
        return new Verification(
                Stream.concat(checked.stream(), other.checked.stream()).toList(),
                Stream.concat(mismatches.stream(), other.mismatches.stream()).toList());
    }
}
