package io.alphaomega.omega.spring.definition;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Mocks of EasyMock and of MockK. What mocks some of its methods only is like a spy, and no mock. */
final class OtherMocks {
    /** In the name of the class of a mock of a class, by EasyMock. */
    private static final String EASY = "$$$EasyMock$";

    /** What MockK has put there once it makes mocks. */
    private static final String DISPATCHER = "io.mockk.proxy.jvm.dispatcher.JvmMockKDispatcher";

    private static final boolean EASY_MOCK =
            ClassUtils.isPresent("org.easymock.EasyMock", OtherMocks.class.getClassLoader());

    /** Whether an object is one by MockK: a regular mock, a spy, that of an object, of static methods, of a constructor. */
    private static final @Nullable Method IS_MOCK_K = isMockKMock();

    private static volatile boolean mockKInUse;

    private OtherMocks() {}

    static boolean isMock(Object bean) {
        return (EASY_MOCK && isEasyMock(bean)) || (mockKInUse && isMockK(bean));
    }

    /** As {@link Mocks#noticeUse}. */
    static void noticeUse() {
        if (IS_MOCK_K == null || mockKInUse) return;
        try {
            Class<?> unused = Class.forName(DISPATCHER, false, null);
            mockKInUse = true;
        } catch (ClassNotFoundException notYet) {
            // Nothing is a mock of MockK.
        }
    }

    private static boolean isMockK(Object bean) {
        return IS_MOCK_K != null
                && Boolean.TRUE.equals(
                        ReflectionUtils.invokeMethod(IS_MOCK_K, null, bean, true, false, false, false, false));
    }

    private static boolean isEasyMock(Object bean) {
        Class<?> type = bean.getClass();
        if (Proxy.isProxyClass(type)) {
            return Proxy.getInvocationHandler(bean).getClass().getName().startsWith("org.easymock.");
        }
        if (!type.getName().contains(EASY)) return false;
        Object data = read(bean, "$callback");
        return data == null || read(data, "mockedMethods") == null;
    }

    private static @Nullable Object read(Object of, String name) {
        Field field = ReflectionUtils.findField(of.getClass(), name);
        if (field == null) return null;
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, of);
    }

    private static @Nullable Method isMockKMock() {
        try {
            Class<?> mockK = Class.forName("io.mockk.MockKKt", false, OtherMocks.class.getClassLoader());
            return ReflectionUtils.findMethod(
                    mockK,
                    "isMockKMock",
                    Object.class,
                    boolean.class,
                    boolean.class,
                    boolean.class,
                    boolean.class,
                    boolean.class);
        } catch (ClassNotFoundException none) {
            return null;
        }
    }
}
