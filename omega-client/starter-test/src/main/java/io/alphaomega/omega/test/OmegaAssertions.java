package io.alphaomega.omega.test;

/** The entry point of the assertions: {@code assertThat(alpha.saga()).committed()}. */
public final class OmegaAssertions {
    private OmegaAssertions() {}

    /** Assertions on a saga. */
    public static SagaAssert assertThat(TestSaga saga) {
        return new SagaAssert(saga);
    }
}
