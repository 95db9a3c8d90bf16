package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which fields and which values of enums occur in the samples. */
final class Sampled {
    private final Set<String> seen = new TreeSet<>();

    void add(Message message) {
        message.getAllFields().forEach((field, value) -> {
            seen.add(field.getFullName());
            List<?> items = value instanceof List<?> many ? many : List.of(value);
            for (Object item : items) {
                if (item instanceof Message inner) add(inner);
                if (item instanceof EnumValueDescriptor number) seen.add(number.getFullName());
            }
        });
    }

    /** All that {@code root} can hold, but for what {@code unused} says it never does, was seen. */
    void assertWhole(Descriptor root, String... unused) {
        Set<String> wanted = new TreeSet<>();
        collect(root, wanted);
        wanted.removeAll(seen);
        wanted.removeAll(Set.of(unused));
        assertThat(wanted).as("in no sample; add one").isEmpty();
    }

    private static void collect(Descriptor message, Set<String> wanted) {
        for (FieldDescriptor field : message.getFields()) {
            if (!wanted.add(field.getFullName())) continue;
            switch (field.getJavaType()) {
                case MESSAGE -> collect(field.getMessageType(), wanted);
                case ENUM ->
                    field.getEnumType().getValues().stream()
                            .filter(value -> value.getNumber() != 0) // Unspecified, which nobody writes.
                            .forEach(value -> wanted.add(value.getFullName()));
                case INT, LONG, FLOAT, DOUBLE, BOOLEAN, STRING, BYTE_STRING -> {}
            }
        }
    }
}
