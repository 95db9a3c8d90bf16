package io.alphaomega.omega.spring.startup;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/** The byte code of a method that may call an annotated one of its own object. */
final class CallingMethod extends MethodVisitor {
    /** What compilers call a reference to the object that an inner class or a lambda was written in. */
    private static final String OUTER_THIS = "this$";

    /** What Kotlin's compiler adds to the name of a function with default arguments, for calls that leave some out. */
    private static final String DEFAULTS = "$default";

    /** Where Kotlin's compiler may put the bodies of an interface's methods, static and with the object first. */
    private static final String BODIES_OF_INTERFACE = "$DefaultImpls";

    private final String owner;
    private final String read;
    private final String name;
    private final Map<String, String> annotated;
    private final Consumer<String> found;

    /** Values of the owner's type that are not known to be {@code this}. */
    private int others;

    private @Nullable String called;

    /**
     * @param owner the class of the annotated methods
     * @param read the class of this method: the owner, or one within it
     * @param annotated names by which to report methods, by their name and descriptor
     * @param found takes a sentence
     */
    CallingMethod(
            String owner,
            String read,
            String name,
            String descriptor,
            Map<String, String> annotated,
            Consumer<String> found) {
        super(SpringAsmInfo.ASM_VERSION);
        this.owner = owner;
        this.read = read;
        this.name = name;
        this.annotated = annotated;
        this.found = found;
        for (Type argument : Type.getArgumentTypes(descriptor)) noteValue(argument);
        if (read.equals(owner + BODIES_OF_INTERFACE)) others--;
    }

    @Override
    public void visitFieldInsn(int opcode, String fieldOwner, String fieldName, String descriptor) {
        if (opcode == Opcodes.GETFIELD && fieldOwner.equals(read) && fieldName.startsWith(OUTER_THIS)) return;
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
        if (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE) {
            noteCall(methodOwner, methodName + descriptor);
        } else if (opcode == Opcodes.INVOKESTATIC && methodName.endsWith(DEFAULTS)) {
            noteCall(methodOwner, withoutDefaults(methodName, descriptor));
        }
    }

    /** The name and descriptor of the function: without the object, the masks of what is left out, and a marker. */
    private static String withoutDefaults(String methodName, String descriptor) {
        Type[] all = Type.getArgumentTypes(descriptor);
        int given = 0;
        while (given + (given + 31) / 32 + 2 < all.length) given++;
        Type[] arguments = Arrays.copyOfRange(all, 1, given + 1);
        return methodName.substring(0, methodName.length() - DEFAULTS.length())
                + Type.getMethodDescriptor(Type.getReturnType(descriptor), arguments);
    }

    /** A method reference, such as {@code this::order}. */
    @Override
    public void visitInvokeDynamicInsn(String methodName, String descriptor, Handle bootstrap, Object... arguments) {
        boolean onThis = Type.getArgumentTypes(descriptor).length > 0;
        for (Object argument : arguments) {
            if (!(argument instanceof Handle handle) || !onThis) continue;
            if (handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE) {
                noteCall(handle.getOwner(), handle.getName() + handle.getDesc());
            }
        }
    }

    /** A lambda of Kotlin is a static method whose parameter for the object has that name. */
    @Override
    public void visitLocalVariable(
            String variable, String descriptor, @Nullable String signature, Label start, Label end, int index) {
        boolean outer = variable.startsWith(OUTER_THIS) && name.contains("lambda");
        if (outer && Type.getType(descriptor).getInternalName().equals(owner)) others--;
    }

    @Override
    public void visitEnd() {
        if (called != null && others == 0) found.accept(writtenIn() + " calls " + called + " of its own object");
    }

    /** The method that a lambda, compiled to {@code lambda$method$0} or {@code method$lambda$0}, was written in. */
    private String writtenIn() {
        if (read.equals(owner + BODIES_OF_INTERFACE)) return name;
        if (!read.equals(owner)) return read.substring(read.lastIndexOf('/') + 1) + "." + name;
        if (name.startsWith("lambda$")) return name.substring("lambda$".length(), name.lastIndexOf('$'));
        int kotlin = name.indexOf("$lambda$");
        return kotlin > 0 ? name.substring(0, kotlin) : name;
    }

    private void noteValue(Type type) {
        Type one = type.getSort() == Type.ARRAY ? type.getElementType() : type;
        if (one.getSort() == Type.OBJECT && one.getInternalName().equals(owner)) others++;
    }

    private void noteCall(String methodOwner, String method) {
        if (methodOwner.equals(owner) && annotated.containsKey(method)) called = annotated.get(method);
    }
}
