package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.util.List;

/** A repository that does everything as another does; a subclass does one thing wrong. */
class Broken extends ForwardingSagaRepository {
    final SagaRepository sound;

    Broken(SagaRepository sound) {
        super(sound);
        this.sound = sound;
    }

    /** What becomes of one item; most flaws are here. */
    AppendResult append(Append item) {
        return sound.append(List.of(item)).getFirst();
    }

    final Version version(SagaId id) {
        return sound.load(id).version();
    }

    static Append expecting(Append item, Version expected) {
        return new Append(item.id(), expected, item.events(), item.summary());
    }

    static Append with(Append item, List<StoredEvent> events) {
        return new Append(item.id(), item.expected(), events, item.summary());
    }

    static Append with(Append item, SagaSummary summary) {
        return new Append(summary.id(), item.expected(), item.events(), summary);
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        return batch.stream().map(this::append).toList();
    }
}
