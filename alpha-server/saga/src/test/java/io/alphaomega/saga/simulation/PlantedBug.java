package io.alphaomega.saga.simulation;

import java.util.List;

/**
 * A mistake that somebody could well have made in the rules, or in a participant, as a change of their source.
 *
 * @param name what goes wrong, as a sentence
 * @param file of io.alphaomega.saga, or of the simulation with its package, without its ending
 * @param found occurs there exactly once
 * @param instead what the mistaken author would have written
 */
record PlantedBug(String name, String file, String found, String instead) {
    /** Subtle ones first; the last few are plain, and some transcript notices them too. */
    static List<PlantedBug> all() {
        return List.of(
                new PlantedBug(
                        "a participant is told that another attempt follows its last one",
                        "Effects",
                        "CallbackEvents.isRetried(saga, branch, asked)",
                        "true"),
                new PlantedBug(
                        "the ends that come with an abort are not taken",
                        "SagaRules",
                        "for (BranchId ended : carrying.ended()) endCarried(draft, ended);",
                        "if (!(carrying.input() instanceof SagaInput.Abort)) for (BranchId ended : carrying.ended()) endCarried(draft, ended);"),
                new PlantedBug(
                        "the begin that comes with a branch is dropped",
                        "SagaRules",
                        "carrying.begin().ifPresent(begin -> decide(draft, begin));",
                        ""),
                new PlantedBug(
                        "who asks is told that a saga is committed as soon as that is wished for",
                        "SagaRules",
                        "case SagaInput.AskOutcome ask -> standing(state);",
                        "case SagaInput.AskOutcome ask -> state instanceof Active active && active.commitRequested() ? new Reply.Committed() : standing(state);"),
                new PlantedBug(
                        "a saga that may begin only once is begun twice",
                        "SagaRules",
                        "return state.saga().initiator().start().equals(begin.initiator().start());",
                        "return state instanceof Active;"),
                new PlantedBug(
                        "an end that is lost on its way is waited for",
                        "Branch",
                        "case Forward.Running running -> endTravels() || !now.isBefore(running.deadline());",
                        "case Forward.Running running -> !now.isBefore(running.deadline());"),
                new PlantedBug(
                        "a branch that may have failed is waited for although its end travels",
                        "Branch",
                        "case Forward.Unknown unknown -> endTravels() || !now.isBefore(unknown.deadline());",
                        "case Forward.Unknown unknown -> !now.isBefore(unknown.deadline());"),
                new PlantedBug(
                        "that what was called has ended says nothing of its caller",
                        "CallbackSequence",
                        "long own = branch.forward() instanceof Forward.Ended ? order(branch) : branch.begunAs();",
                        "long own = branch.begunAs();"),
                new PlantedBug(
                        "a branch that offers no compensation is asked for one if its end is lost",
                        "CallbackSequence",
                        "&& branch.compensation().isPresent()\n                && branch.fenced()\n                && branch.isSilent(now);",
                        "&& branch.fenced()\n                && branch.isSilent(now);"),
                new PlantedBug(
                        "who has called others is undone after them if its end is lost",
                        "CallbackSequence",
                        "if (caller >= 0 && caller < i) signs[caller] = Math.max(signs[caller], signs[i]);",
                        ""),
                new PlantedBug(
                        "a branch whose end is lost is undone last",
                        "CallbackSequence",
                        "(!branch.endTravels() || signs[i] < order(ended))",
                        "signs[i] > 0"),
                new PlantedBug(
                        "a participant names the calls it makes at random, so that its repeat makes others",
                        "simulation/CallNames",
                        "made + \".\" + Plan.SERVICES.get(service) + ordinal",
                        "java.util.UUID.randomUUID().toString() + ordinal"),
                new PlantedBug(
                        "another call under the id of a branch is taken for a repeat of the branch's",
                        "SagaRules",
                        "known.get().isRepeatedBy(begin) ? null",
                        "begin.branch().equals(known.get().id()) ? null"),
                new PlantedBug(
                        "whoever says so is believed about a branch, of whatever service",
                        "InputRefusals",
                        "if (branch == null || service.isEmpty() || branch.service().equals(service)) return null;",
                        "if (!state.id().value().isEmpty()) return null;"),
                new PlantedBug(
                        "an order that took effect is refused when it comes again, because its own event has moved the saga",
                        "Interventions",
                        ".anyMatch(done -> done.event().equals(order.apply(done.event().at())));",
                        ".anyMatch(done -> false);"),
                new PlantedBug(
                        "whoever orders something of a saga that another has ordered something of is told that it is done",
                        "Interventions",
                        ".anyMatch(done -> done.event().equals(order.apply(done.event().at())));",
                        ".anyMatch(done -> true);"),
                new PlantedBug(
                        "a call with other arguments is taken for a repeat",
                        "BranchCall",
                        "\n                && arguments.equals(again.arguments);",
                        ";"),
                new PlantedBug(
                        "only the instance that began a branch may repeat its call",
                        "BranchCall",
                        "return service.equals(again.service)",
                        "return instance.equals(again.instance)"),
                new PlantedBug(
                        "whatever an operator does not leave to alpha counts as done by hand, except what nobody had asked for yet",
                        "Fold",
                        "b.offer(kind).isEmpty() || b.progress() instanceof Progress.Done",
                        "b.offer(kind).isEmpty() || !(b.progress() instanceof Progress.GaveUp)"),
                new PlantedBug(
                        "a saga stays suspended for a compensation that a rollback made needless",
                        "CallbackProgress",
                        "case Progress.GaveUp gaveUp -> new Progress.Idle(gaveUp.effort().attempt());",
                        "case Progress.GaveUp gaveUp -> gaveUp;"),
                new PlantedBug(
                        "a compensation that waits for a participant is not called off by a rollback",
                        "CallbackProgress",
                        "case Progress.AwaitingParticipant awaiting ->\n                new Progress.Idle(awaiting.effort().attempt());",
                        "case Progress.AwaitingParticipant awaiting -> awaiting;"),
                new PlantedBug(
                        "the alarm is set for the first branch's deadline only",
                        "Obligations",
                        "for (Branch branch : saga.branches().moving()) {\n            Instant deadline = deadline(branch);",
                        "for (Branch branch : saga.branches().stream().limit(1).toList()) {\n            Instant deadline = deadline(branch);"),
                new PlantedBug(
                        "the alarm is set for the last of several callbacks",
                        "Obligations",
                        "if (at != null && (first == null || at.isBefore(first))) first = at;",
                        "if (at != null && (first == null || at.isAfter(first))) first = at;"),
                new PlantedBug(
                        "a lost stream is forgiven after the time limit, too",
                        "CallbackAnswers",
                        "effort.losses() >= Limits.LOSSES_FREE || !draft.now.isBefore(effort.giveUpAt())",
                        "effort.losses() >= Limits.LOSSES_FREE"),
                new PlantedBug(
                        "a participant that is busy is charged with a failed attempt",
                        "Branch",
                        "Effort deferred() {\n            return new Effort(kind, attempt, failures,",
                        "Effort deferred() {\n            return new Effort(kind, attempt, failures + 1,"),
                new PlantedBug(
                        "a participant may be busy beyond the time limit",
                        "CallbackEvents",
                        "if (Obligations.isDue(effort.giveUpAt(), now)) {\n            String error = \"every",
                        "if (Obligations.isDue(effort.giveUpAt().plus(policy(saga, branch, effort.kind()).within()), now)) {\n            String error = \"every"),
                new PlantedBug(
                        "an operator may skip what alpha is still working on",
                        "Interventions",
                        "if (Obligations.stuck(branch, Obligations.kind(state), draft.now) == null) {",
                        "if (branch.progress() instanceof Branch.Progress.Done) {"),
                new PlantedBug(
                        "operators are obeyed if they saw nearly what there is",
                        "Interventions",
                        "return state.sequence() != sequence;",
                        "return state.sequence() > sequence + 1;"),
                new PlantedBug(
                        "a report that comes after the request makes it another request",
                        "Effects",
                        "Payload result = asked.forwardEnded() && branch.forward()",
                        "Payload result = branch.forward()"),
                new PlantedBug(
                        "the end is forgotten when the begin catches up",
                        "Fold",
                        "new Active(caughtUp(saga, caughtUp), active.commitRequested());",
                        "new Active(caughtUp(saga, caughtUp), false);"),
                new PlantedBug(
                        "the next compensation does not wait for one whose participant is away",
                        "CallbackSequence",
                        "case Progress.AwaitingParticipant awaiting -> true;",
                        "case Progress.AwaitingParticipant awaiting -> false;"),
                new PlantedBug(
                        "a branch may begin in a suspended saga",
                        "SagaRules",
                        "known && !(known instanceof Active) ? standing(known)",
                        "known && !(known instanceof Active) && !(known instanceof Suspended) ? standing(known)"),
                new PlantedBug(
                        "whoever asks about a suspended saga is told that nothing is decided",
                        "SagaRules",
                        "case Suspended suspended -> standing(suspended.abort());",
                        "case Suspended suspended -> new Reply.Pending();"),
                new PlantedBug(
                        "failures are forgotten while the participant is away",
                        "Branch",
                        "return new Effort(kind, attempt, failures, losses, first",
                        "return new Effort(kind, attempt, 0, losses, first"),
                new PlantedBug(
                        "a saga with skipped branches claims to have ended without help",
                        "Fold",
                        "|| saga.branches().stream().anyMatch(b -> b.progress() instanceof Progress.Skipped);",
                        ";"),
                new PlantedBug(
                        "every request gives a callback its whole time limit again",
                        "CallbackEvents",
                        "effort.giveUpAt(),\n                now);",
                        "now.plus(policy(saga, branch, effort.kind()).within()),\n                now);"),
                new PlantedBug(
                        "a refusal is given without a look at the store",
                        "Reply",
                        "return !(this instanceof Rejected);",
                        "return true;"),
                new PlantedBug(
                        "who waits in line behind a stuck compensation still sets the alarm",
                        "Obligations",
                        "return branch.fenced() ? !waitsInLine : !(state instanceof Suspended);",
                        "return branch.fenced() || !(state instanceof Suspended);"),
                new PlantedBug(
                        "nobody wakes up when the grace of an unfenced branch is over",
                        "Obligations",
                        "return branch.fenced() ? !waitsInLine : !(state instanceof Suspended);",
                        "return branch.fenced() && !waitsInLine;"),
                new PlantedBug(
                        "callbacks under way are forgotten by whoever loads a suspended saga",
                        "Effects",
                        "Set<SagaEffect> effects = calls(suspended.saga());",
                        "Set<SagaEffect> effects = new LinkedHashSet<>();"),
                new PlantedBug(
                        "an operator's retry counts attempts from one again, so that answers to old requests match new ones",
                        "CallbackProgress",
                        "? b.with(new Progress.Idle(gaveUp.effort().attempt()))",
                        "? b.with(new Progress.Idle(0))"),
                new PlantedBug(
                        "what comes too late is decided as if it had been in time",
                        "SagaRules",
                        "DecisionDraft draft = new DecisionDraft(state, now);\n        draft.settle();",
                        "DecisionDraft draft = new DecisionDraft(state, now);"),
                new PlantedBug(
                        "the order of ends is taken from the clock, which may stand still between two of them",
                        "Fold",
                        "long order = state.sequence() + 1;",
                        "long order = event.at().toEpochMilli();"),
                new PlantedBug(
                        "the commit does not wait for branches that run",
                        "Obligations",
                        "return active.commitRequested() && !open ?",
                        "return active.commitRequested() ?"),
                new PlantedBug(
                        "a branch that ends after it had failed is not undone",
                        "Branch",
                        "return isOpen() || forward instanceof Forward.Failed;",
                        "return isOpen();"),
                new PlantedBug(
                        "the first build that cannot run a callback speaks for its service",
                        "Builds",
                        "boolean othersMay = !said.build().isEmpty()",
                        "boolean othersMay = said.build().isEmpty()"),
                new PlantedBug(
                        "a build that cannot is asked again and again",
                        "Builds",
                        "&& !effort.isUnable(said.build())",
                        ""),
                new PlantedBug(
                        "a build that has refused is asked as if it had not",
                        "Branch",
                        "List<Unable> still = lacksBuild ? List.of() : unable;",
                        "List<Unable> still = List.of();"),
                new PlantedBug(
                        "another build is asked after the time limit, too",
                        "Builds",
                        "&& now.isBefore(effort.giveUpAt());",
                        ";"),
                new PlantedBug(
                        "what one build cannot is charged as a failed attempt",
                        "Branch",
                        "kind, attempt, failures, losses, Optional.empty(), giveUpAt, failsSince, more, false);",
                        "kind, attempt, failures + 1, losses, Optional.empty(), giveUpAt, failsSince, more, false);"),
                new PlantedBug(
                        "a saga that no build could undo stays suspended when one connects that may",
                        "Builds",
                        "case Progress.GaveUp gaveUp -> {\n                if (!mayKnow(gaveUp.effort(), connected)) yield null;",
                        "case Progress.GaveUp gaveUp -> {\n                if (mayKnow(gaveUp.effort(), connected)) yield null;"),
                new PlantedBug(
                        "a build that connects again is asked again what it could not",
                        "Builds",
                        "if (!effort.isUnable(build)) return true;",
                        "if (!build.isEmpty()) return true;"),
                new PlantedBug(
                        "a build that comes too late for the time limit has none",
                        "CallbackProgress",
                        "? gaveUp.effort().resumed(event.giveUpAt())",
                        "? gaveUp.effort()"));
    }

    /** In the rules of sagas in sagas. */
    static List<PlantedBug> ofNesting() {
        return List.of(
                new PlantedBug(
                        "a nested saga commits by itself",
                        "Nesting",
                        "saga.initiator().parent().isPresent() ? new SagaEvent.Prepared(now)",
                        "saga.initiator().parent().isEmpty() ? new SagaEvent.Prepared(now)"),
                new PlantedBug(
                        "a begin that comes after the parent's abort is accepted",
                        "SagaRules",
                        "case SagaInput.Decide decide -> Nesting.decideAbsent(draft, decide);",
                        "case SagaInput.Decide decide -> new Reply.Aborted(new Abort(Abort.Cause.PARENT, Optional.empty(), \"\", draft.now));"),
                new PlantedBug(
                        "a parent takes a nested saga for over that is still being undone",
                        "Nesting",
                        "return draft.state instanceof Ended ended ? SagaRules.standing(ended) : new Reply.Accepted();",
                        "return SagaRules.standing((Known) draft.state);"),
                new PlantedBug(
                        "an operator aborts a nested saga that is prepared",
                        "Interventions",
                        "if (state instanceof Prepared prepared) return Nesting.prepared(prepared);",
                        "if (state instanceof Prepared) return carriedOut(draft, order);"),
                new PlantedBug(
                        "its initiator aborts a nested saga that is prepared",
                        "SagaRules",
                        "if (state instanceof Prepared prepared) yield Nesting.prepared(prepared);",
                        "if (state instanceof Prepared) draft.add(aborted(Abort.Cause.INITIATOR, abort.cause(), draft.now));"),
                new PlantedBug(
                        "a service is believed that nothing is left of a nested saga",
                        "SagaRules",
                        "fail.rolledBack() && branch.get().nested().isEmpty();",
                        "fail.rolledBack() || branch.get().nested().isPresent();"),
                new PlantedBug(
                        "the deadline of a nested saga that is prepared aborts it",
                        "Obligations",
                        "case SagaState.Prepared prepared -> null;",
                        "case SagaState.Prepared prepared -> isDue(prepared.saga().deadline(), now) ? SagaRules.aborted(Abort.Cause.SAGA_TIMED_OUT, \"\", now) : null;"));
    }

    /** In the rules of sagas that are held; the transcripts hold every saga in every state. */
    static List<PlantedBug> ofHolding() {
        return List.of(
                new PlantedBug(
                        "participants of a held saga are called back",
                        "Effects",
                        "case SagaState.Held held -> Holding.questions(held);",
                        "case SagaState.Held held -> of(held.before());"),
                new PlantedBug(
                        "time goes on for a held saga",
                        "Obligations",
                        "case SagaState.Held held -> Optional.empty();",
                        "case SagaState.Held held -> wakeUpAt(held.before());"),
                new PlantedBug(
                        "a saga that was released is held again",
                        "Holding",
                        "before.saga().heldFor(event.restoration())",
                        "before.saga()"),
                new PlantedBug(
                        "what a fence says is taken for a person's word",
                        "Holding",
                        "draft.add(new SagaEvent.FenceAnswered(answer.branch(), answer.evidence(), draft.now));",
                        "draft.add(new SagaEvent.Resumed(Optional.empty(), draft.now));"),
                new PlantedBug(
                        "what a fence says is lost",
                        "Holding",
                        "draft.add(new SagaEvent.FenceAnswered(answer.branch(), answer.evidence(), draft.now));",
                        ""),
                new PlantedBug(
                        "what a fence has said is forgotten",
                        "Holding",
                        "evidence.put(event.branch(), event.evidence());",
                        ""),
                new PlantedBug(
                        "a report of a branch makes what its fence has said forgotten",
                        "Fold",
                        "new Held(with(held.before(), saga), held.decided(), held.evidence(), held.why(), held.at());",
                        "new Held(with(held.before(), saga), held.decided(), java.util.Map.of(), held.why(), held.at());"),
                new PlantedBug(
                        "a fence that cannot tell is the last to be heard",
                        "Evidence",
                        "return known.isEmpty() || (known.get().finding() == Finding.UNKNOWN && finding != Finding.UNKNOWN);",
                        "return known.isEmpty();"),
                new PlantedBug(
                        "another service's fence speaks of a branch",
                        "SagaRules",
                        "yield refused != null ? refused : Holding.answer(draft, state, answer);",
                        "yield Holding.answer(draft, state, answer);"),
                new PlantedBug(
                        "a fence that a branch has not is asked",
                        "Holding",
                        "if (!branch.fenced() || branch.nested().isPresent() || isSaid(state, branch)) continue;",
                        "if (branch.nested().isPresent() || isSaid(state, branch)) continue;"),
                new PlantedBug(
                        "the fence of a branch that can only be confirmed is not asked",
                        "Holding",
                        ".or(branch::confirmation)",
                        ""));
    }
}
