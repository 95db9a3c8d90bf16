package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a released version reads and writes is still there, under the same numbers, and a change of it is found. */
class SchemaTest {
    private final Schema first = Schema.of(Golden.FIRST);

    @Test
    void everything_that_a_released_version_knows_is_as_it_was() {
        assertThat(first.brokenBy(Schema.today())).isEmpty();
        assertThat(first.messages()).hasSizeGreaterThan(60);
    }

    @Test
    void what_is_only_added_breaks_nothing() {
        Schema more = eachMessage(message -> message.addField(
                FieldDescriptorProto.newBuilder(field("added", 500)).setType(FieldDescriptorProto.Type.TYPE_BOOL)));
        assertThat(first.brokenBy(more)).isEmpty();
    }

    @Test
    void a_planted_change_of_any_field_is_found_and_named() {
        Map<String, Consumer<FieldDescriptorProto.Builder>> plants = Map.of(
                "has another number", field -> field.setNumber(field.getNumber() + 900),
                "is called renamed now", field -> field.setName("renamed"),
                "is fixed32",
                        field -> field.clearTypeName()
                                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                                .clearProto3Optional()
                                .setType(FieldDescriptorProto.Type.TYPE_FIXED32),
                "is required ", field -> field.setLabel(FieldDescriptorProto.Label.LABEL_REQUIRED));
        int planted = 0;
        for (Map.Entry<String, DescriptorProto> message : first.messages().entrySet()) {
            for (FieldDescriptorProto field : message.getValue().getFieldList()) {
                String name = message.getKey() + "." + field.getName();
                for (Map.Entry<String, Consumer<FieldDescriptorProto.Builder>> plant : plants.entrySet()) {
                    assertThat(first.brokenBy(changed(message.getValue(), field, plant.getValue())))
                            .as("%s, planted: %s", name, plant.getKey())
                            .singleElement()
                            .asString()
                            .startsWith(name + " (" + field.getNumber() + ") ")
                            .contains(plant.getKey());
                    planted++;
                }
                assertThat(first.brokenBy(without(message.getValue(), field)))
                        .singleElement()
                        .asString()
                        .startsWith(name + " (" + field.getNumber() + ") is gone");
                planted++;
            }
        }
        assertThat(planted).isGreaterThan(800);
    }

    @Test
    void a_removed_or_renumbered_value_of_any_enum_is_found_and_named() {
        for (Map.Entry<String, EnumDescriptorProto> each : first.enums().entrySet()) {
            for (int i = 0; i < each.getValue().getValueCount(); i++) {
                int at = i;
                String name = each.getKey() + "." + each.getValue().getValue(i).getName();
                EnumDescriptorProto removed =
                        each.getValue().toBuilder().removeValue(at).build();
                EnumDescriptorProto renumbered = each.getValue().toBuilder()
                        .setValue(at, each.getValue().getValue(at).toBuilder().setNumber(77))
                        .build();
                for (EnumDescriptorProto planted : List.of(removed, renumbered)) {
                    assertThat(first.brokenBy(replaced(each.getValue(), planted)))
                            .anySatisfy(sentence -> assertThat(sentence).startsWith(name + " ("));
                }
            }
        }
    }

    @Test
    void a_removed_message_and_a_changed_method_are_found_and_named() {
        FileDescriptorSet.Builder files = first.files().toBuilder();
        FileDescriptorProto.Builder wire = files.getFileBuilder(0);
        int last = wire.getMessageTypeCount() - 1;
        String removed = wire.getMessageType(last).getName();
        wire.removeMessageType(last);
        MethodDescriptorProto.Builder method = wire.getServiceBuilder(0).getMethodBuilder(0);
        method.setClientStreaming(false);
        assertThat(first.brokenBy(new Schema(files.build())))
                .hasSize(2)
                .anySatisfy(sentence -> assertThat(sentence).startsWith("alpha.v1." + removed + " is gone"))
                .anySatisfy(
                        sentence -> assertThat(sentence).startsWith("The method alpha.v1.Alpha.Connect is another"));
    }

    // ---- planting

    private static FieldDescriptorProto field(String name, int number) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .build();
    }

    private Schema changed(
            DescriptorProto of, FieldDescriptorProto field, Consumer<FieldDescriptorProto.Builder> change) {
        int at = of.getFieldList().indexOf(field);
        return eachMessage(message -> {
            if (message.build().equals(of)) change.accept(message.getFieldBuilder(at));
        });
    }

    private Schema without(DescriptorProto of, FieldDescriptorProto field) {
        int at = of.getFieldList().indexOf(field);
        return eachMessage(message -> {
            if (message.build().equals(of)) message.removeField(at);
        });
    }

    private Schema replaced(EnumDescriptorProto was, EnumDescriptorProto now) {
        FileDescriptorSet.Builder files = first.files().toBuilder();
        for (FileDescriptorProto.Builder file : files.getFileBuilderList()) {
            replace(was, now, file.getEnumTypeBuilderList());
        }
        return eachMessage(files, message -> replace(was, now, message.getEnumTypeBuilderList()));
    }

    private static void replace(
            EnumDescriptorProto was, EnumDescriptorProto now, List<EnumDescriptorProto.Builder> enums) {
        for (EnumDescriptorProto.Builder each : enums) {
            if (each.build().equals(was)) each.clear().mergeFrom(now);
        }
    }

    private Schema eachMessage(Consumer<DescriptorProto.Builder> change) {
        return eachMessage(first.files().toBuilder(), change);
    }

    private static Schema eachMessage(FileDescriptorSet.Builder files, Consumer<DescriptorProto.Builder> change) {
        for (FileDescriptorProto.Builder file : files.getFileBuilderList()) {
            file.getMessageTypeBuilderList().forEach(message -> change(message, change));
        }
        return new Schema(files.build());
    }

    private static void change(DescriptorProto.Builder message, Consumer<DescriptorProto.Builder> change) {
        message.getNestedTypeBuilderList().forEach(nested -> change(nested, change));
        change.accept(message);
    }
}
