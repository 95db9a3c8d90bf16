package io.alphaomega.omega.rules;

import java.util.List;

/**
 * What follows from an input.
 *
 * @param effects to be performed in this order
 */
public record BranchStep(BranchState state, List<BranchEffect> effects) {}
