package io.alphaomega.saga;

/** Where a nested saga belongs: the branch of another saga that it is. */
public record Parent(SagaId saga, BranchId branch) {}
