package io.alphaomega.server.console;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Reply;
import io.alphaomega.server.queries.WhatIf;
import io.alphaomega.server.queries.WhatIfRequest;
import io.alphaomega.server.queries.WhatIfView;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.ErrorResponseException;

/**
 * The form of a saga's page in which an input can be tried, and what would become of it. The fields are kept as sent.
 *
 * @param input the name of a {@link WhatIfRequest.Kind}; empty if no input is tried
 * @param refusal a sentence, if it cannot be supposed
 */
record WhatIfForm(String input, String branch, String after, Optional<WhatIfView> view, String refusal) {
    static WhatIfForm of(String input, String branch, String after, Function<WhatIfRequest, WhatIfView> rules) {
        if (input.isEmpty()) return new WhatIfForm("", "", "", Optional.empty(), "");
        try {
            WhatIfRequest request = new WhatIfRequest(input, branch, null, null, null, after, null);
            return new WhatIfForm(input, branch, after, Optional.of(rules.apply(request)), "");
        } catch (ErrorResponseException refused) {
            return refused(input, branch, after, refused.getBody().getDetail());
        } catch (RepositoryUnavailableException | CorruptJournalException e) {
            return refused(input, branch, after, e.getMessage());
        }
    }

    private static WhatIfForm refused(String input, String branch, String after, @Nullable String sentence) {
        return new WhatIfForm(input, branch, after, Optional.empty(), String.valueOf(sentence));
    }

    Optional<WhatIf> whatIf() {
        return view.map(WhatIfView::answer);
    }

    /** Where the saga would stand. */
    Situation situation(Words words) {
        return Situation.of(
                view.orElseThrow().saga(), view.orElseThrow().answer().at(), words);
    }

    boolean isRejected() {
        return view.orElseThrow().reply() instanceof Reply.Rejected;
    }

    /** What the sender would be told. */
    String reply(Words words) {
        WhatIf.Answer reply = whatIf().orElseThrow().reply();
        return words.say("what-if.reply." + reply.kind(), reply.text());
    }
}
