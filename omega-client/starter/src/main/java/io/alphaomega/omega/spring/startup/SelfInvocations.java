package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.method.Names;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds calls of an annotated method on {@code this}: they do not pass Spring's proxy, so the annotation would do
 * nothing. Reads the byte code of the class, of its supertypes, and of the classes within it.
 *
 * <p>A call on the class's own type is one on {@code this} if the calling method has no other value of that type at
 * hand: no parameter, field, result or new object. Where it has one (such as an injected reference to the bean's own
 * proxy) nobody can tell by looking, and the call is not reported.
 */
final class SelfInvocations {
    private final Class<?> beanClass;
    private final Map<String, String> annotated;
    private @Nullable String found;

    /** @param annotated names by which to report methods, by their name and descriptor */
    private SelfInvocations(Class<?> beanClass, Map<String, String> annotated) {
        this.beanClass = beanClass;
        this.annotated = annotated;
    }

    /** A sentence about the first such call, or null if there is none, or if the byte code cannot be read. */
    static @Nullable String find(Class<?> beanClass, Collection<Method> annotated) {
        if (annotated.isEmpty()) return null;
        SelfInvocations search = new SelfInvocations(beanClass, names(beanClass, annotated));
        for (Class<?> type : types(beanClass)) {
            search.read(type);
            if (search.found != null) return search.found;
        }
        return null;
    }

    /** Also by the descriptors of what they override, which callers in supertypes use. */
    private static Map<String, String> names(Class<?> beanClass, Collection<Method> annotated) {
        Map<String, String> names = new HashMap<>();
        for (Class<?> type : types(beanClass)) {
            for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
                Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
                if (annotated.contains(specific))
                    names.put(method.getName() + Type.getMethodDescriptor(method), Names.of(specific));
            }
        }
        return names;
    }

    private static List<Class<?>> types(Class<?> beanClass) {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
            types.add(type);
        }
        Set<Class<?>> interfaces = ClassUtils.getAllInterfacesForClassAsSet(beanClass);
        types.addAll(interfaces);
        for (Class<?> each : interfaces) types.addAll(Arrays.asList(each.getInterfaces()));
        return types.stream()
                .filter(type -> !type.getName().startsWith("java."))
                .distinct()
                .toList();
    }

    private void read(Class<?> type) {
        String owner = Type.getInternalName(type);
        Set<String> within = new LinkedHashSet<>();
        read(type, owner, visitor(type, owner, within));
        for (String each : within) read(type, each, visitor(type, each, new LinkedHashSet<>()));
    }

    private static void read(Class<?> type, String name, ClassVisitor visitor) {
        String file = name.substring(name.lastIndexOf('/') + 1) + ".class";
        try (InputStream bytes = type.getResourceAsStream(file)) {
            if (bytes != null) new ClassReader(bytes).accept(visitor, ClassReader.SKIP_FRAMES);
        } catch (IOException | IllegalArgumentException unreadable) {
            // Made at run time, or by a newer compiler than Spring knows.
        }
    }

    /**
     * @param read the class that is read: the owner of the methods, or one within it
     * @param within takes the names of those within
     */
    private ClassVisitor visitor(Class<?> type, String read, Set<String> within) {
        String owner = Type.getInternalName(type);
        return new ClassVisitor(SpringAsmInfo.ASM_VERSION) {
            @Override
            public void visitInnerClass(String name, @Nullable String outer, @Nullable String innerName, int access) {
                if (name.startsWith(owner + "$")) within.add(name);
            }

            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                // A compiler's bridge for a generic supertype or another return type: the caller has passed the proxy.
                if ((access & Opcodes.ACC_BRIDGE) != 0) return null;
                // An inherited final method runs on the proxy itself, so that what it calls passes that.
                if ((access & Opcodes.ACC_FINAL) != 0 && type != beanClass && read.equals(owner)) return null;
                return new CallingMethod(owner, read, name, descriptor, annotated, call -> {
                    if (found == null) found = call;
                });
            }
        };
    }
}
