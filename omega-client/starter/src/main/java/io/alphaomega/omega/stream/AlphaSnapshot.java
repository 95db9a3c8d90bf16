package io.alphaomega.omega.stream;

import java.util.List;

/**
 * What a client of alpha has under way at one moment.
 *
 * @param alphas each alpha that is known
 * @param unanswered inputs that no alpha has answered
 * @param waiting those of them that no stream has: there is none, or alpha has asked to be asked later
 * @param withoutRoom inputs that wait, without a thread, until fewer are unanswered
 */
public record AlphaSnapshot(List<AlphaTraffic> alphas, int unanswered, int waiting, int withoutRoom) {
    public AlphaSnapshot {
        alphas = List.copyOf(alphas);
    }
}
