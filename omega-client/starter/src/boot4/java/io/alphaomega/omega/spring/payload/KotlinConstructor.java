package io.alphaomega.omega.spring.payload;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.PropertyValueBuffer;
import tools.jackson.databind.deser.std.StdValueInstantiator;

/** Calls a constructor of Kotlin's with its defaults for what is missing. */
final class KotlinConstructor extends StdValueInstantiator {
    private final transient KotlinDefaults defaults;

    KotlinConstructor(StdValueInstantiator constructor, KotlinDefaults defaults) {
        super(constructor);
        this.defaults = defaults;
    }

    @Override
    public @Nullable Object createFromObjectWith(
            DeserializationContext context, SettableBeanProperty[] parameters, PropertyValueBuffer values) {
        Map<Integer, @Nullable Object> given = new HashMap<>();
        for (int i = 0; i < parameters.length; i++) {
            if (values.hasParameter(parameters[i])) given.put(i, values.getParameter(context, parameters[i]));
        }
        Object made = given.size() == parameters.length ? null : defaults.create(parameters.length, given);
        return made != null ? made : super.createFromObjectWith(context, parameters, values);
    }
}
