package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The logical names that a callback had before a rename, as an annotation lists them. */
final class Aliases {
    private Aliases() {}

    /**
     * That callback under its names of before as well.
     *
     * @param method has the annotation
     * @throws OmegaConfigurationException if one of them is no name, or says nothing
     */
    static CallbackMethod add(CallbackMethod callback, Method method, List<String> aliases) {
        Set<String> names = new HashSet<>(Set.of(callback.name()));
        for (String alias : aliases) {
            if (alias.isBlank() || alias.length() > AnnotationReader.NAME_CHARS) {
                throw new OmegaConfigurationException(
                        "The alias '%s' that %s has for the callback '%s' must have 1 to %d characters."
                                .formatted(alias, Names.of(method), callback.name(), AnnotationReader.NAME_CHARS),
                        "Write it as the log or alpha shows it, such as \"OldDesk.cancel\", or remove it.");
            }
            if (!names.add(alias)) {
                throw new OmegaConfigurationException(
                        "The alias '%s' that %s has for a callback is the name of that callback, or comes twice."
                                .formatted(alias, Names.of(method)),
                        "An alias is another name, which it had before: correct or remove it.");
            }
        }
        return callback.alias(aliases);
    }
}
