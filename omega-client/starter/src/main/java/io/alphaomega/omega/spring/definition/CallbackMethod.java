package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;

/**
 * A method that alpha may call back, or that follows one.
 *
 * @param role what it is to its branch
 * @param name its logical name
 * @param aliases the logical names that it had before
 * @param argumentTypes declared types of the parameters that take the branch's arguments, all of them or none; or what
 *     the callback declares in their place
 * @param takesResult whether a last parameter takes the branch's result
 * @param resultType declared type of that parameter
 * @param fence the fence of its branches by name; empty for the standard one
 */
public record CallbackMethod(
        CallbackFinder.Role role,
        String name,
        List<String> aliases,
        Method method,
        List<Type> argumentTypes,
        boolean takesResult,
        Type resultType,
        String fence) {

    /** The same, under the names that it had before as well. */
    CallbackMethod alias(List<String> names) {
        return new CallbackMethod(role, name, names, method, argumentTypes, takesResult, resultType, fence);
    }

    /** The same under another name, and none that it had before. */
    CallbackMethod named(String other) {
        return new CallbackMethod(role, other, List.of(), method, argumentTypes, takesResult, resultType, fence);
    }

    /** The same, behind the fence of that name. */
    CallbackMethod behind(String name) {
        return new CallbackMethod(role, this.name, aliases, method, argumentTypes, takesResult, resultType, name);
    }

    /** Whether it does the same, whatever it was named before. */
    boolean does(CallbackMethod other) {
        return alias(List.of()).equals(other.alias(List.of()));
    }

    public String describe() {
        return Names.of(method);
    }
}
