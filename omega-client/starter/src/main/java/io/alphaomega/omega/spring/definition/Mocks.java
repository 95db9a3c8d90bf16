package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.config.Foreign;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Mocks that tests put in the place of beans. A spy is none: it does what the bean does. */
final class Mocks {
    /** In the name of the class of a mock that is no instance of the mocked class itself. */
    static final String SUBCLASS = "$MockitoMock$";

    /** What Mockito has put there once it makes mocks that are instances of the mocked class. */
    private static final String DISPATCHER = "org.mockito.internal.creation.bytebuddy.inject.MockMethodDispatcher";

    /** What delegates each call to the bean: the spy of a bean that is a proxy by interface. */
    private static final String DELEGATING = "org.mockito.internal.stubbing.defaultanswers.ForwardsInvocations";

    private static final @Nullable Method DETAILS = details();

    private static volatile boolean inUse;

    private Mocks() {}

    static boolean isMock(Object bean) {
        return isMockito(bean) || OtherMocks.isMock(bean);
    }

    private static boolean isMockito(Object bean) {
        if (DETAILS == null || !(bean.getClass().getName().contains(SUBCLASS) || inUse)) return false;
        Object details = ReflectionUtils.invokeMethod(DETAILS, null, bean);
        return details != null && is(details, "isMock") && !is(details, "isSpy") && !delegates(details);
    }

    private static boolean delegates(Object details) {
        Object settings = Foreign.ask(details, "getMockCreationSettings");
        Object answer = settings == null ? null : Foreign.ask(settings, "getDefaultAnswer");
        return answer != null && answer.getClass().getName().equals(DELEGATING);
    }

    private static boolean is(Object details, String question) {
        return Boolean.TRUE.equals(Foreign.ask(details, question));
    }

    /**
     * Finds out whether Mockito makes such mocks by now. Looking for a class that is not there takes too long for a call. To
     * ask Mockito itself would start it, and its agent, in tests that do without.
     */
    static void noticeUse() {
        OtherMocks.noticeUse();
        if (DETAILS == null || inUse) return;
        try {
            Class<?> unused = Class.forName(DISPATCHER, false, null);
            inUse = true;
        } catch (ClassNotFoundException notYet) {
            // No bean can be a mock that is an instance of the mocked class.
        }
    }

    private static @Nullable Method details() {
        try {
            Class<?> mockito = Class.forName("org.mockito.Mockito", false, Mocks.class.getClassLoader());
            return ReflectionUtils.findMethod(mockito, "mockingDetails", Object.class);
        } catch (ClassNotFoundException production) {
            return null;
        }
    }
}
