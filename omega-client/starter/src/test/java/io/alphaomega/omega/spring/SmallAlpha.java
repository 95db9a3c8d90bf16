package io.alphaomega.omega.spring;

import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.stream.ScriptedAlpha;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The least that an alpha can do: it remembers which sagas were aborted, and commits the others. */
public final class SmallAlpha implements AutoCloseable {
    private final ScriptedAlpha scripted = new ScriptedAlpha("alpha-1");
    private final Map<String, Aborted> aborted = new ConcurrentHashMap<>();

    /** What it does not answer. */
    public volatile Predicate<Input> silentOn = input -> false;

    /** What it answers otherwise than by its rules. */
    volatile Function<Input, Ack.@Nullable Builder> answer = input -> null;

    /** Sees each input before it is answered. */
    volatile Consumer<Input> observer = input -> {};

    private int forgotten;

    public SmallAlpha() {
        scripted.onInput = (conversation, input) -> {
            observer.accept(input);
            if (silentOn.test(input)) return;
            Ack.Builder said = answer.apply(input);
            if (said == null) said = decide(input);
            conversation.ack(said.setCorrelation(input.getCorrelation()).build());
        };
    }

    public String address() {
        return scripted.address();
    }

    private Ack.Builder decide(Input input) {
        Aborted before = aborted.get(input.getSaga());
        return switch (input.getKindCase()) {
            case ABORT -> {
                abort(
                        input.getSaga(),
                        Aborted.Cause.INITIATOR,
                        "",
                        input.getAbort().getCause());
                yield Ack.newBuilder().setAborted(aborted.get(input.getSaga()));
            }
            case FAIL_BRANCH -> {
                abort(
                        input.getSaga(),
                        Aborted.Cause.BRANCH_FAILED,
                        input.getFailBranch().getBranch(),
                        input.getFailBranch().getCause());
                yield accepted();
            }
            case BEGIN_BRANCH -> before == null ? accepted() : Ack.newBuilder().setAborted(before);
            case END ->
                before == null
                        ? Ack.newBuilder().setCommitted(Committed.getDefaultInstance())
                        : Ack.newBuilder().setAborted(before);
            default -> accepted();
        };
    }

    void abort(String saga, Aborted.Cause cause, String branch, String text) {
        aborted.putIfAbsent(
                saga,
                Aborted.newBuilder()
                        .setCause(cause)
                        .setBranch(branch)
                        .setText(text)
                        .build());
    }

    static Ack.Builder accepted() {
        return Ack.newBuilder().setAccepted(io.alphaomega.protocol.v1.Accepted.getDefaultInstance());
    }

    public List<Input> inputs() {
        return scripted.inputs();
    }

    /** From now on only what comes is {@link #told}. */
    void forget() {
        forgotten = inputs().size();
    }

    List<Input> told() {
        List<Input> all = inputs();
        return all.subList(forgotten, all.size());
    }

    List<Input.KindCase> toldKinds() {
        return told().stream().map(Input::getKindCase).toList();
    }

    Input firstTold(Input.KindCase kind) {
        return told().stream()
                .filter(input -> input.getKindCase() == kind)
                .findFirst()
                .orElseThrow();
    }

    List<Input.KindCase> kinds() {
        return inputs().stream().map(Input::getKindCase).toList();
    }

    /** The only input of that kind so far. */
    public Input only(Input.KindCase kind) {
        List<Input> found =
                inputs().stream().filter(i -> i.getKindCase() == kind).toList();
        if (found.size() != 1) throw new AssertionError("expected one " + kind + " but there are " + found);
        return found.get(0);
    }

    /** The begins of sagas, by themselves or with other inputs. */
    List<BeginSaga> begins() {
        return inputs().stream()
                .filter(input -> input.hasBegin() || input.getCarried().hasBegin())
                .map(input ->
                        input.hasBegin() ? input.getBegin() : input.getCarried().getBegin())
                .toList();
    }

    /** The branches of which other inputs have brought the end. */
    List<String> carriedEnds() {
        return inputs().stream()
                .flatMap(input -> input.getCarried().getEndedList().stream())
                .toList();
    }

    /** The only failure of a branch, once it is there. */
    public FailBranch failed() {
        await().until(() -> kinds().contains(Input.KindCase.FAIL_BRANCH));
        return only(Input.KindCase.FAIL_BRANCH).getFailBranch();
    }

    /** Asks for a callback of the only branch, and waits for the answer. */
    public CallbackResult callBack(Consumer<Callback.Builder> more) {
        Input begin = only(Input.KindCase.BEGIN_BRANCH);
        Callback.Builder callback = Callback.newBuilder()
                .setSaga(begin.getSaga())
                .setBranch(begin.getBeginBranch().getBranch())
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(1)
                .setName(begin.getBeginBranch().getCompensation().getName())
                .setArguments(begin.getBeginBranch().getArguments())
                .setFenced(begin.getBeginBranch().getFenced());
        inputs().stream()
                .filter(Input::hasEndBranch)
                .forEach(i -> callback.setForwardEnded(true)
                        .setResult(i.getEndBranch().getResult()));
        if (carriedEnds().contains(begin.getBeginBranch().getBranch())) callback.setForwardEnded(true);
        more.accept(callback);
        return call(asked -> asked.mergeFrom(callback.build()));
    }

    /** Asks what the fence has of the only branch, and waits for the answer. */
    CallbackResult inquire(Consumer<Callback.Builder> more) {
        return callBack(callback -> more.accept(callback.setKind(CallbackKind.INQUIRY)
                .setInquired(callback.getName())
                .clearName()
                .setFence(only(Input.KindCase.BEGIN_BRANCH).getBeginBranch().getFence())));
    }

    /** Asks for a callback, and waits for the answer. */
    CallbackResult call(Consumer<Callback.Builder> what) {
        Callback.Builder callback = Callback.newBuilder();
        what.accept(callback);
        ScriptedAlpha.Conversation conversation = scripted.conversations.get(scripted.conversations.size() - 1);
        int before = conversation.results.size();
        conversation.call(callback.build());
        await().until(() -> conversation.results.size() > before);
        return conversation.results.get(before);
    }

    @Override
    public void close() {
        scripted.close();
    }
}
