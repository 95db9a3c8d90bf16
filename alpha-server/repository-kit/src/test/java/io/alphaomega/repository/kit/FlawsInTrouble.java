package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** Stores and repositories that do not keep what they should when they are closed, stopped or started. */
final class FlawsInTrouble {
    private FlawsInTrouble() {}

    /** A store whose repositories are made worse. */
    static class BrokenStore implements Store {
        InMemoryStore sound = new InMemoryStore();
        private final UnaryOperator<SagaRepository> flaw;

        BrokenStore(UnaryOperator<SagaRepository> flaw) {
            this.flaw = flaw;
        }

        @Override
        public SagaRepository open() {
            return flaw.apply(sound.open());
        }

        @Override
        public void stop() {
            sound.stop();
        }

        @Override
        public void start() {
            sound.start();
        }

        @Override
        public void loseAnswers() {
            sound.loseAnswers();
        }

        @Override
        public void slowDown(Duration delay) {
            sound.slowDown(delay);
        }

        @Override
        public void close() {
            sound.close();
        }
    }

    static final class ForgetsWhenReopened extends BrokenStore {
        ForgetsWhenReopened() {
            super(UnaryOperator.identity());
        }

        @Override
        public SagaRepository open() {
            sound = new InMemoryStore();
            return super.open();
        }
    }

    /** As one whose last write is in a buffer that nobody flushes. */
    static final class LosesTheLastAppendWhenClosed extends BrokenStore {
        private volatile Runnable loss = () -> {};

        LosesTheLastAppendWhenClosed() {
            super(UnaryOperator.identity());
        }

        @Override
        public SagaRepository open() {
            return new Broken(sound.open()) {
                @Override
                AppendResult append(Append item) {
                    String id = item.id().value();
                    InMemoryStore store = LosesTheLastAppendWhenClosed.this.sound;
                    var before = store.sagas().get(id);
                    loss = () -> {
                        if (before == null) store.sagas().remove(id);
                        else store.sagas().put(id, before);
                    };
                    return super.append(item);
                }

                @Override
                public void close() {
                    super.close();
                    if (!LosesTheLastAppendWhenClosed.this.sound.isStopped()) loss.run();
                }
            };
        }
    }

    static final class HangsInAnOutage extends Broken {
        HangsInAnOutage(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            try {
                return super.append(batch);
            } catch (RepositoryUnavailableException outage) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw outage;
            }
        }
    }

    static final class FailsWithoutType extends Broken {
        FailsWithoutType(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            try {
                return super.append(batch);
            } catch (RepositoryUnavailableException outage) {
                throw new IllegalStateException("connection refused", outage);
            }
        }
    }

    static final class FindsNothingInAnOutage extends Broken {
        FindsNothingInAnOutage(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Loaded load(SagaId id) {
            try {
                return super.load(id);
            } catch (RepositoryUnavailableException outage) {
                return Loaded.NOTHING;
            }
        }
    }

    static final class IsAlwaysUp extends Broken {
        IsAlwaysUp(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Health check() {
            return new Health.Up();
        }
    }

    static final class StaysDown extends Broken {
        private volatile boolean down;

        StaysDown(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            if (down) throw new RepositoryUnavailableException("once away, always away");
            try {
                return super.append(batch);
            } catch (RepositoryUnavailableException outage) {
                down = true;
                throw outage;
            }
        }
    }

    /** Half of the batch that met the outage is stored. */
    static final class TearsAnItemInAnOutage extends BrokenStore {
        TearsAnItemInAnOutage() {
            super(UnaryOperator.identity());
        }

        @Override
        public SagaRepository open() {
            return new Broken(sound.open()) {
                @Override
                AppendResult append(Append item) {
                    try {
                        return super.append(item);
                    } catch (RepositoryUnavailableException outage) {
                        TearsAnItemInAnOutage.this.sound.start();
                        super.append(with(item, item.events().subList(0, 1)));
                        TearsAnItemInAnOutage.this.sound.stop();
                        throw outage;
                    }
                }
            };
        }
    }

    static final class WorksAfterItsClosing extends Broken {
        WorksAfterItsClosing(SagaRepository sound) {
            super(sound);
        }

        @Override
        public void close() {}
    }
}
