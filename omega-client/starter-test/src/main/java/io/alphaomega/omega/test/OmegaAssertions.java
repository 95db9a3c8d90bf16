package io.alphaomega.omega.test;

/** Where the assertions begin: {@code assertThat(alpha.saga()).committed()}. */
public final class OmegaAssertions {
    private OmegaAssertions() {}

    /** What is expected of a saga. */
    public static SagaAssert assertThat(TestSaga saga) {
        return new SagaAssert(saga);
    }
}
