package io.alphaomega.repository.kit;

import io.alphaomega.repository.SagaRepository;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link SagaRepository} does. A plugin extends it, returns a {@link Store} and changes nothing else.
 *
 * <p>There is no way to skip: a store that is not there fails the build rather than vanish from the report. What a store
 * may choose, it declares ({@link SagaRepository#visibilityLag()}, {@link SagaRepository#durability()}); the fence is
 * not among it. A test that hangs fails. Instants have milliseconds, no more.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SagaRepositoryContract {
    private final Bench bench = new Bench();

    /** A running store, for one test. */
    protected abstract Store store();

    @BeforeEach
    final void open() {
        bench.open(store());
    }

    @AfterEach
    final void close() {
        bench.close();
    }

    @Nested
    final class Appending extends AppendingContract {
        Appending() {
            super(bench);
        }
    }

    @Nested
    final class Fencing extends FencingContract {
        Fencing() {
            super(bench);
        }
    }

    @Nested
    final class Loading extends LoadingContract {
        Loading() {
            super(bench);
        }
    }

    @Nested
    final class Due extends DueContract {
        Due() {
            super(bench);
        }
    }

    @Nested
    final class Finding extends FindingContract {
        Finding() {
            super(bench);
        }
    }

    @Nested
    final class Filtering extends FilteringContract {
        Filtering() {
            super(bench);
        }
    }

    @Nested
    final class Attributes extends AttributesContract {
        Attributes() {
            super(bench);
        }
    }

    @Nested
    final class Ordered extends OrderedContract {
        Ordered() {
            super(bench);
        }
    }

    @Nested
    final class Counting extends CountingContract {
        Counting() {
            super(bench);
        }
    }

    @Nested
    final class Purging extends PurgingContract {
        Purging() {
            super(bench);
        }
    }

    @Nested
    final class Noting extends NotesContract {
        Noting() {
            super(bench);
        }
    }

    @Nested
    final class AtTheLimits extends LimitsContract {
        AtTheLimits() {
            super(bench);
        }
    }

    @Nested
    final class Reopening extends ReopeningContract {
        Reopening() {
            super(bench);
        }
    }

    @Nested
    final class InAnOutage extends OutageContract {
        InAnOutage() {
            super(bench);
        }
    }

    @Nested
    final class WhenAnswersAreLost extends UnknownOutcomeContract {
        WhenAnswersAreLost() {
            super(bench);
        }
    }

    @Nested
    final class OnASlowStore extends SlowContract {
        OnASlowStore() {
            super(bench);
        }
    }
}
