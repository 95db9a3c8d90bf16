package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotationMap;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.ObjectIdInfo;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.util.NameTransformer;

/**
 * Jackson's annotations as far as they say how an object is built and what its properties are called: names, creators,
 * builders, types, references. Those that say what JSON shows of it do not count: what a property is hidden from, formatted
 * as, or written by.
 */
final class StateAnnotations extends JacksonAnnotationIntrospector {

    // ---- what does not count

    @Override
    public boolean hasIgnoreMarker(MapperConfig<?> config, AnnotatedMember member) {
        return false;
    }

    @Override
    public @Nullable Boolean isIgnorableType(MapperConfig<?> config, AnnotatedClass type) {
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
    public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated annotated) {
        return JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
    }

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findFilterId(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public JacksonInject.@Nullable Value findInjectableValue(MapperConfig<?> config, AnnotatedMember member) {
        return null;
    }

    @Override
    public Class<?> @Nullable [] findViews(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public void findAndAddVirtualProperties(
            MapperConfig<?> config, AnnotatedClass type, List<BeanPropertyWriter> properties) {}

    @Override
    public Boolean hasAnyGetter(MapperConfig<?> config, Annotated annotated) {
        return false;
    }

    @Override
    public Boolean hasAnySetter(MapperConfig<?> config, Annotated annotated) {
        return false;
    }

    @Override
    public Boolean hasAsKey(MapperConfig<?> config, Annotated annotated) {
        return false;
    }

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        return JsonSetter.Value.empty();
    }

    @Override
    public @Nullable Boolean findMergeInfo(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    // ---- the application's serializers

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findNullSerializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findSerializationConverter(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findSerializationContentConverter(MapperConfig<?> config, AnnotatedMember member) {
        return null;
    }

    @Override
    public JavaType refineSerializationType(MapperConfig<?> config, Annotated annotated, JavaType type) {
        return type;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findDeserializationConverter(MapperConfig<?> config, Annotated annotated) {
        return null;
    }

    @Override
    public @Nullable Object findDeserializationContentConverter(MapperConfig<?> config, AnnotatedMember member) {
        return null;
    }

    // ---- fields, and what accessors say of them

    @Override
    public VisibilityChecker findAutoDetectVisibility(
            MapperConfig<?> config, AnnotatedClass type, VisibilityChecker checker) {
        return StateMembers.isBuilder(type.getRawType()) ? VisibilityChecker.defaultInstance() : checker;
    }

    @Override
    public @Nullable Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
        Boolean found = super.hasAsValue(config, annotated);
        if (found == null || !found) return found;
        return annotated instanceof AnnotatedMember member && StateMembers.isAll(member.getMember());
    }

    @Override
    public @Nullable PropertyName findNameForSerialization(MapperConfig<?> config, Annotated annotated) {
        if (annotated instanceof AnnotatedMethod method) {
            return StateMembers.isForConstructor(method.getAnnotated()) ? PropertyName.USE_DEFAULT : null;
        }
        return either(annotated, each -> super.findNameForSerialization(config, each));
    }

    @Override
    public @Nullable PropertyName findNameForDeserialization(MapperConfig<?> config, Annotated annotated) {
        if (annotated instanceof AnnotatedMethod method) {
            return StateMembers.isBuilder(method.getDeclaringClass())
                    ? super.findNameForDeserialization(config, annotated)
                    : null;
        }
        return either(annotated, each -> super.findNameForDeserialization(config, each));
    }

    @Override
    public List<PropertyName> findPropertyAliases(MapperConfig<?> config, Annotated annotated) {
        return either(annotated, each -> super.findPropertyAliases(config, each));
    }

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
        return either(annotated, each -> super.findPolymorphicTypeInfo(config, each));
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
        return either(annotated, each -> super.findSubtypes(config, each));
    }

    @Override
    public @Nullable NameTransformer findUnwrappingNameTransformer(MapperConfig<?> config, AnnotatedMember member) {
        return either(member, each -> super.findUnwrappingNameTransformer(config, (AnnotatedMember) each));
    }

    @Override
    public @Nullable ReferenceProperty findReferenceType(MapperConfig<?> config, AnnotatedMember member) {
        return either(member, each -> super.findReferenceType(config, (AnnotatedMember) each));
    }

    @Override
    public @Nullable ObjectIdInfo findObjectIdInfo(MapperConfig<?> config, Annotated annotated) {
        return either(annotated, each -> super.findObjectIdInfo(config, each));
    }

    @Override
    public JavaType refineDeserializationType(MapperConfig<?> config, Annotated annotated, JavaType type) {
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
        return AnnotationMap.of(Arrays.asList(method.getAnnotations()));
    }
}
