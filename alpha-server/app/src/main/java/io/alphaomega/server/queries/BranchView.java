package io.alphaomega.server.queries;

import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;

/**
 * One branch of a saga, for a page.
 *
 * @param detail as the API answers it
 * @param forward how far the business call got
 * @param progress how far the callback got
 */
public record BranchView(BranchDetail detail, Forward forward, Progress progress) {}
