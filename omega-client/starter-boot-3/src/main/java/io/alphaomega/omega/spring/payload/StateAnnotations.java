package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotationMap;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.ObjectIdInfo;
import com.fasterxml.jackson.databind.introspect.VisibilityChecker;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jackson's annotations as far as they say how an object is built and what its properties are called: names, creators,
 * builders, types, references. Those that say what JSON shows of it do not count: what a property is hidden from, formatted
 * as, or written by.
 */
final class StateAnnotations extends JacksonAnnotationIntrospector {

    // ---- what does not count

    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
        return false;
    }

    @Override
    public @Nullable Boolean isIgnorableType(AnnotatedClass type) {
        return null;
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
        return JsonIgnoreProperties.Value.empty();
    }

    @Override
    public JsonIncludeProperties.Value findPropertyInclusionByName(MapperConfig<?> config, Annotated annotated) {
        return JsonIncludeProperties.Value.all();
    }

    /** Writes nulls: what is left out could not be told from what is missing. */
    @Override
    public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
        return JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
    }

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findFilterId(Annotated annotated) {
        return null;
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(Annotated annotated) {
        return null;
    }

    @Override
    public JacksonInject.@Nullable Value findInjectableValue(AnnotatedMember member) {
        return null;
    }

    @Override
    public Class<?> @Nullable [] findViews(Annotated annotated) {
        return null;
    }

    @Override
    public void findAndAddVirtualProperties(
            MapperConfig<?> config, AnnotatedClass type, List<BeanPropertyWriter> properties) {}

    @Override
    public Boolean hasAnyGetter(Annotated annotated) {
        return false;
    }

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
        return false;
    }

    @Override
    public Boolean hasAsKey(MapperConfig<?> config, Annotated annotated) {
        return false;
    }

    @Override
    public JsonSetter.Value findSetterInfo(Annotated annotated) {
        return JsonSetter.Value.empty();
    }

    @Override
    public @Nullable Boolean findMergeInfo(Annotated annotated) {
        return null;
    }

    // ---- the application's serializers

    @Override
    public @Nullable Object findSerializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findKeySerializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findContentSerializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findNullSerializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findSerializationConverter(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findSerializationContentConverter(AnnotatedMember member) {
        return null;
    }

    @Override
    public JavaType refineSerializationType(MapperConfig<?> config, Annotated annotated, JavaType type) {
        return type;
    }

    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findKeyDeserializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findContentDeserializer(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findDeserializationConverter(Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findDeserializationContentConverter(AnnotatedMember member) {
        return null;
    }

    // ---- fields, and what accessors say of them

    @Override
    public VisibilityChecker<?> findAutoDetectVisibility(AnnotatedClass type, VisibilityChecker<?> checker) {
        return StateMembers.isBuilder(type.getRawType()) ? VisibilityChecker.Std.defaultInstance() : checker;
    }

    @Override
    public @Nullable Boolean hasAsValue(Annotated annotated) {
        Boolean found = super.hasAsValue(annotated);
        if (found == null || !found) return found;
        return annotated instanceof AnnotatedMember member && StateMembers.isAll(member.getMember());
    }

    @Override
    public @Nullable PropertyName findNameForSerialization(Annotated annotated) {
        if (annotated instanceof AnnotatedMethod method) {
            return StateMembers.isForConstructor(method.getAnnotated()) ? PropertyName.USE_DEFAULT : null;
        }
        return either(annotated, each -> super.findNameForSerialization(each));
    }

    @Override
    public @Nullable PropertyName findNameForDeserialization(Annotated annotated) {
        if (annotated instanceof AnnotatedMethod method) {
            return StateMembers.isBuilder(method.getDeclaringClass())
                    ? super.findNameForDeserialization(annotated)
                    : null;
        }
        return either(annotated, each -> super.findNameForDeserialization(each));
    }

    @Override
    public List<PropertyName> findPropertyAliases(Annotated annotated) {
        return either(annotated, each -> super.findPropertyAliases(each));
    }

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
        return either(annotated, each -> super.findPolymorphicTypeInfo(config, each));
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(Annotated annotated) {
        return either(annotated, each -> super.findSubtypes(each));
    }

    @Override
    public @Nullable NameTransformer findUnwrappingNameTransformer(AnnotatedMember member) {
        return either(member, each -> super.findUnwrappingNameTransformer((AnnotatedMember) each));
    }

    @Override
    public @Nullable ReferenceProperty findReferenceType(AnnotatedMember member) {
        return either(member, each -> super.findReferenceType((AnnotatedMember) each));
    }

    @Override
    public @Nullable ObjectIdInfo findObjectIdInfo(Annotated annotated) {
        return either(annotated, each -> super.findObjectIdInfo(each));
    }

    @Override
    public JavaType refineDeserializationType(MapperConfig<?> config, Annotated annotated, JavaType type)
            throws JsonMappingException {
        JavaType refined = super.refineDeserializationType(config, annotated, type);
        if (!refined.equals(type) || !(annotated instanceof AnnotatedField field)) return refined;
        for (AnnotatedField each : accessors(field)) {
            refined = super.refineDeserializationType(config, each, refined);
        }
        return refined;
    }

    /** What is found of a member, or else of the accessors of a field. */
    private static <T extends @Nullable Object> T either(Annotated annotated, Function<Annotated, T> find) {
        T found = find.apply(annotated);
        if (says(found) || !(annotated instanceof AnnotatedField field)) return found;
        for (AnnotatedField each : accessors(field)) {
            T other = find.apply(each);
            if (says(other)) return other;
        }
        return found;
    }

    private static boolean says(@Nullable Object found) {
        return found != null
                && !found.equals(PropertyName.USE_DEFAULT)
                && !(found instanceof List<?> several && several.isEmpty());
    }

    /** The field, as if it had the annotations of its getter; and of its setter. */
    private static List<AnnotatedField> accessors(AnnotatedField field) {
        return StateMembers.annotatedAccessorsOf(field.getAnnotated()).stream()
                .map(each -> field.withAnnotations(annotations(each)))
                .toList();
    }

    private static AnnotationMap annotations(Method method) {
        AnnotationMap all = new AnnotationMap();
        for (Annotation each : method.getAnnotations()) {
            all = AnnotationMap.merge(all, AnnotationMap.of(each.annotationType(), each));
        }
        return all;
    }
}
