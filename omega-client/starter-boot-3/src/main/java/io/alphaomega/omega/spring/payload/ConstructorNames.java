package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.beans.ConstructorProperties;
import org.jspecify.annotations.Nullable;

/** Has the names in {@code @ConstructorProperties} count, and not those that the parameters have in the source. */
final class ConstructorNames extends SimpleModule {
    private static final long serialVersionUID = 1L;

    ConstructorNames() {
        super("omega-constructor-names");
    }

    @Override
    public void setupModule(SetupContext context) {
        context.insertAnnotationIntrospector(new Names());
    }

    private static final class Names extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable String findImplicitPropertyName(AnnotatedMember member) {
            if (!(member instanceof AnnotatedParameter parameter)) return null;
            ConstructorProperties names = parameter.getOwner().getAnnotation(ConstructorProperties.class);
            return names == null || parameter.getIndex() >= names.value().length
                    ? null
                    : names.value()[parameter.getIndex()];
        }
    }
}
