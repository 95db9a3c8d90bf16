package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** What values of a declared type would not bring back from {@link StrictJson}, found out from classes alone. */
final class PayloadLosses {
    private final JsonMapper mapper;
    private final DeserializationContext context;
    private final Set<JavaType> seen = new HashSet<>();
    private final List<String> lost = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final List<String> hidden = new ArrayList<>();

    private PayloadLosses(JsonMapper mapper) {
        this.mapper = mapper;
        this.context = ((DefaultDeserializationContext) mapper.getDeserializationContext())
                .createDummyInstance(mapper.getDeserializationConfig());
    }

    static PayloadLosses of(JsonMapper mapper, JavaType type) {
        PayloadLosses losses = new PayloadLosses(mapper);
        losses.look(type, null);
        return losses;
    }

    /** What comes back without a part of it, a clause each. */
    List<String> lost() {
        return lost;
    }

    /** What cannot come back at all, a clause each. */
    List<String> unreadable() {
        return unreadable;
    }

    /** What is kept, though annotations hide it from clients, a clause each. */
    List<String> hidden() {
        return hidden;
    }

    /** @param member what has that type, if it is a property */
    private void look(JavaType type, @Nullable AnnotatedMember member) {
        if (type.isContainerType() || type.isReferenceType()) {
            if (type.getContentType() != null) look(type.getContentType(), member);
            return;
        }
        if (isTyped(type, member) || !seen.add(type)) return;
        if (type.isJavaLangObject()) {
            lost.add("an Object comes back as JSON has it: a map, a list, a text or a number");
        } else if (PayloadState.isEntity(type.getRawClass())) {
            lost.add(name(type) + " is a JPA entity: it is written as it was at the call, with what it refers to, and"
                    + " comes back detached");
        } else {
            lookInside(type);
        }
    }

    private void lookInside(JavaType type) {
        try {
            JsonDeserializer<?> found = context.findNonContextualValueDeserializer(type);
            if (found.getDelegatee() != null) found = found.getDelegatee();
            if (found instanceof AbstractDeserializer) {
                unreadable.add(name(type) + " is abstract, and nothing says of which class a value is");
            } else if (found instanceof BeanDeserializerBase bean) {
                if (!bean.getValueInstantiator().canInstantiate()) {
                    unreadable.add(name(type) + " has no constructor that JSON could call");
                    return;
                }
                nameTheLost(type, bean);
                nameTheHidden(type);
                bean.properties().forEachRemaining(each -> look(each.getType(), each.getMember()));
            }
        } catch (JsonMappingException | IllegalArgumentException e) {
            unreadable.add(name(type) + " cannot be read as JSON ("
                    + (e instanceof JsonMappingException json ? json.getOriginalMessage() : e.getMessage()) + ")");
        }
    }

    /** Subtypes are known when values come. */
    private boolean isTyped(JavaType type, @Nullable AnnotatedMember member) {
        return StrictJson.isTyped(mapper, type)
                || (member != null
                        && mapper.getDeserializationConfig()
                                        .getAnnotationIntrospector()
                                        .findPolymorphicTypeInfo(mapper.getDeserializationConfig(), member)
                                != null);
    }

    private void nameTheLost(JavaType type, BeanDeserializerBase bean) throws JsonMappingException {
        Set<String> kept = StrictBeans.written(mapper, type);
        kept.retainAll(StrictBeans.read(bean));
        BeanDescription reading = context.getConfig().introspect(type);
        if (StrictBeans.takesNamesOfOthers(mapper.getDeserializationConfig(), reading)) return;
        Set<String> given = new HashSet<>();
        List<BeanPropertyDefinition> back = reading.findBackReferences(); // Null for none.
        if (back != null) back.forEach(each -> given.add(each.getInternalName()));

        Map<String, String> namesByField = new LinkedHashMap<>();
        for (BeanDescription each : List.of(reading, StrictBeans.describe(mapper, type))) {
            each.findProperties().forEach(property -> namesByField.put(property.getInternalName(), property.getName()));
            each.getIgnoredPropertyNames().forEach(name -> namesByField.putIfAbsent(name, name));
        }
        namesByField.forEach((field, name) -> {
            if (kept.contains(name) || given.contains(field) || !PayloadState.has(type.getRawClass(), field)) return;
            lost.add("'" + field + "' of " + name(type) + " does not come back");
            refuseIfNeeded(type, bean, name);
        });
    }

    private void nameTheHidden(JavaType type) {
        for (Field field : PayloadState.fields(type.getRawClass())) {
            if (StateMembers.isHidden(type.getRawClass(), field)) {
                hidden.add("'" + field.getName() + "' of " + name(type));
            }
        }
    }

    /** A parameter that cannot be null has nothing else to be. */
    private void refuseIfNeeded(JavaType type, BeanDeserializerBase bean, String name) {
        SettableBeanProperty[] parameters =
                bean.getValueInstantiator().getFromObjectArguments(mapper.getDeserializationConfig());
        if (parameters == null) return;
        for (SettableBeanProperty each : parameters) {
            if (each.getName().equals(name) && each.getType().isPrimitive()) {
                unreadable.add("'" + name + "' of " + name(type) + " does not come back, but is of type "
                        + each.getType().getRawClass() + " and cannot be null");
            }
        }
    }

    private static String name(JavaType type) {
        return ClassUtils.getShortName(type.getRawClass());
    }
}
