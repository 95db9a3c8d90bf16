package io.alphaomega.omega.spring;

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
 */
record CallbackMethod(
        CallbackFinder.Role role,
        String name,
        List<String> aliases,
        Method method,
        List<Type> argumentTypes,
        boolean takesResult,
        Type resultType) {

    /** The same, under the names that it had before as well. */
    CallbackMethod alias(List<String> names) {
        return new CallbackMethod(role, name, names, method, argumentTypes, takesResult, resultType);
    }

    /** Whether it does the same, whatever it was named before. */
    boolean does(CallbackMethod other) {
        return alias(List.of()).equals(other.alias(List.of()));
    }

    String describe() {
        return Names.of(method);
    }
}
