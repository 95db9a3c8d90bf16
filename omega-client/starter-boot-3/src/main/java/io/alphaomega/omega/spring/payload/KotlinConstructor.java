package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.impl.PropertyValueBuffer;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls a constructor of Kotlin's with its defaults for what is missing. */
final class KotlinConstructor extends StdValueInstantiator {
    private final transient KotlinDefaults defaults;

    KotlinConstructor(StdValueInstantiator constructor, KotlinDefaults defaults) {
        super(constructor);
        this.defaults = defaults;
    }

    @Override
    public @Nullable Object createFromObjectWith(
            DeserializationContext context, SettableBeanProperty[] parameters, PropertyValueBuffer values)
            throws IOException {
        Map<Integer, @Nullable Object> given = new HashMap<>();
        for (int i = 0; i < parameters.length; i++) {
            if (values.hasParameter(parameters[i])) given.put(i, values.getParameter(parameters[i]));
        }
        Object made = given.size() == parameters.length ? null : defaults.create(parameters.length, given);
        return made != null ? made : super.createFromObjectWith(context, parameters, values);
    }
}
