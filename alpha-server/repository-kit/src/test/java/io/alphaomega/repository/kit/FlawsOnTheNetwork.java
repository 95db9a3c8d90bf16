package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.kit.FlawsInTrouble.BrokenStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** Repositories that do not know what to do about an answer that is lost or late. */
final class FlawsOnTheNetwork {
    private FlawsOnTheNetwork() {}

    /** As a client that sends again, when it has connected again, whatever was not answered. */
    static final class SendsAgain extends Broken {
        SendsAgain(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            for (int attempt = 1; ; attempt++) {
                try {
                    return super.append(batch);
                } catch (RepositoryUnavailableException lost) {
                    if (attempt == 1_000) throw lost;
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }

    /** It meets its own append, takes it for somebody else's, and gives way by appending behind it. */
    static final class AppendsBehindItself extends Broken {
        AppendsBehindItself(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult result = super.append(item);
            boolean own = result instanceof AppendResult.Conflict(Version actual)
                    && actual.sequence()
                            == item.expected().sequence() + item.events().size();
            return own ? super.append(expecting(item, version(item.id()))) : result;
        }
    }

    static final class TakesALostAnswerForSuccess extends Broken {
        TakesALostAnswerForSuccess(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            try {
                return super.append(item);
            } catch (RepositoryUnavailableException lost) {
                return new Appended(
                        new Version(item.expected().sequence() + item.events().size(), "presumably"));
            }
        }
    }

    /** As one that writes an item in two steps: the answer to the first is lost, so there is no second. */
    static final class WritesInTwoSteps extends Broken {
        WritesInTwoSteps(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult first = super.append(with(item, item.events().subList(0, 1)));
            if (!(first instanceof Appended(Version version)) || item.events().size() < 2) return first;
            return super.append(expecting(
                    with(item, item.events().subList(1, item.events().size())), version));
        }
    }

    /** A store that tests nothing: it is away when it should only not answer. */
    static final class LosesRequests extends BrokenStore {
        LosesRequests() {
            super(UnaryOperator.identity());
        }

        @Override
        public void loseAnswers() {
            stop();
        }
    }

    static final class WaitsForEver extends Broken {
        WaitsForEver(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            try {
                return super.append(batch);
            } catch (RepositoryUnavailableException late) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw late;
            }
        }
    }

    static final class IsImpatient extends Broken {
        IsImpatient(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            long asked = System.nanoTime();
            List<AppendResult> results = super.append(batch);
            if (System.nanoTime() - asked > Duration.ofMillis(150).toNanos()) {
                throw new RepositoryUnavailableException("gave up after 150 ms");
            }
            return results;
        }
    }

    /** Each caller waits for its turn without a limit, and then for its answer. */
    static final class LetsCallersQueue extends Broken {
        private final ReentrantLock turn = new ReentrantLock(true);

        LetsCallersQueue(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            turn.lock();
            try {
                return super.append(batch);
            } finally {
                turn.unlock();
            }
        }
    }

    /** As a driver whose packets end at 4 MiB. */
    static final class RefusesManyBytes extends Broken {
        RefusesManyBytes(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            long bytes = batch.stream()
                    .flatMap(item -> item.events().stream())
                    .mapToLong(event -> event.bytes().length)
                    .sum();
            if (bytes > 4 << 20) throw new RepositoryUnavailableException("packet of %d bytes".formatted(bytes));
            return super.append(batch);
        }
    }

    static final class FindsNothingWhileTheStoreIsAway extends Broken {
        FindsNothingWhileTheStoreIsAway(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            try {
                return super.find(query, cursor, limit);
            } catch (RepositoryUnavailableException outage) {
                return new Page<>(List.of(), Optional.empty());
            }
        }
    }
}
