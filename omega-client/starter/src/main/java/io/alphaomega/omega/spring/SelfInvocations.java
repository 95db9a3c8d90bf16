package io.alphaomega.omega.spring;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds calls of an annotated method on {@code this}: they do not pass Spring's proxy, so the annotation would do
 * nothing. Reads the byte code of the class.
 *
 * <p>A call on the class's own type is one on {@code this} if the calling method has no other value of that type at
 * hand: no parameter, field, result or new object. Where it has one (such as an injected reference to the bean's own
 * proxy) nobody can tell by looking, and the call is not reported.
 */
final class SelfInvocations {
    private final String owner;
    private final Map<String, String> annotated;
    private @Nullable String found;

    /** @param annotated names by which to report methods, by their name and descriptor */
    private SelfInvocations(Class<?> owner, Map<String, String> annotated) {
        this.owner = Type.getInternalName(owner);
        this.annotated = annotated;
    }

    /** How {@code annotated} names a method. */
    static String key(java.lang.reflect.Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    /** A sentence about the first such call, or null if there is none, or if the byte code cannot be read. */
    static @Nullable String find(Class<?> beanClass, Map<String, String> annotated) {
        for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
            SelfInvocations search = new SelfInvocations(type, annotated);
            try (InputStream bytes = type.getResourceAsStream(simpleFileName(type))) {
                if (bytes == null) continue;
                new ClassReader(bytes).accept(search.visitor(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            } catch (IOException | IllegalArgumentException unreadable) {
                continue; // Made at run time, or by a newer compiler than Spring knows.
            }
            if (search.found != null) return search.found;
        }
        return null;
    }

    private static String simpleFileName(Class<?> type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    }

    private ClassVisitor visitor() {
        return new ClassVisitor(SpringAsmInfo.ASM_VERSION) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                return new CallingMethod(name, descriptor);
            }
        };
    }

    /** One method of the class, as a possible caller. */
    private final class CallingMethod extends MethodVisitor {
        private final String name;
        private boolean otherAtHand;
        private @Nullable String called;

        CallingMethod(String name, String descriptor) {
            super(SpringAsmInfo.ASM_VERSION);
            this.name = name;
            for (Type argument : Type.getArgumentTypes(descriptor)) noteValue(argument);
        }

        @Override
        public void visitFieldInsn(int opcode, String fieldOwner, String fieldName, String descriptor) {
            if (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) noteValue(Type.getType(descriptor));
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW || opcode == Opcodes.CHECKCAST) noteValue(Type.getObjectType(type));
        }

        @Override
        public void visitMethodInsn(
                int opcode, String methodOwner, String methodName, String descriptor, boolean isInterface) {
            noteValue(Type.getReturnType(descriptor));
            if (opcode == Opcodes.INVOKEVIRTUAL) noteCall(methodOwner, methodName + descriptor);
        }

        /** A method reference, such as {@code this::order}. */
        @Override
        public void visitInvokeDynamicInsn(
                String methodName, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle && handle.getTag() == Opcodes.H_INVOKEVIRTUAL) {
                    boolean onThis = Type.getArgumentTypes(descriptor).length > 0;
                    if (onThis) noteCall(handle.getOwner(), handle.getName() + handle.getDesc());
                }
            }
        }

        @Override
        public void visitEnd() {
            if (called != null && !otherAtHand && found == null) {
                found = writtenIn(name) + " calls " + called + " of its own object";
            }
        }

        /** The method that a lambda, compiled to {@code lambda$method$0}, was written in. */
        private static String writtenIn(String method) {
            String prefix = "lambda$";
            return method.startsWith(prefix) ? method.substring(prefix.length(), method.lastIndexOf('$')) : method;
        }

        private void noteValue(Type type) {
            otherAtHand |=
                    type.getSort() == Type.OBJECT && type.getInternalName().equals(owner);
        }

        private void noteCall(String methodOwner, String method) {
            if (methodOwner.equals(owner) && annotated.containsKey(method)) called = annotated.get(method);
        }
    }
}
