package io.alphaomega.server.golden;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.TextFormat;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.server.journal.v1.Journal;
import io.alphaomega.server.wire.v1.Remoting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that is written by one version and read by another: the messages of the wire, between nodes and in the journal. */
record Schema(FileDescriptorSet files) {
    private static final String FILE = "schema.txt";

    static Schema today() {
        return new Schema(FileDescriptorSet.newBuilder()
                .addFile(FromOmega.getDescriptor().getFile().toProto())
                .addFile(Remoting.getDescriptor().toProto())
                .addFile(Journal.getDescriptor().toProto())
                .build());
    }

    /** That of a released version; {@code -Drewrite} freezes today's as a version's that has none yet. */
    static Schema of(Path version) {
        Path file = version.resolve(FILE);
        FileDescriptorSet.Builder files = FileDescriptorSet.newBuilder();
        try {
            if (Golden.REWRITE && Files.notExists(file)) {
                Files.writeString(file, TextFormat.printer().printToString(today().files));
            }
            TextFormat.merge(Files.readString(file), files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Schema(files.build());
    }

    /** The message of that full name, to read by it what another schema's code has written. */
    Descriptor message(String fullName) {
        Map<String, FileDescriptor> built = new LinkedHashMap<>();
        for (FileDescriptorProto file : files.getFileList()) {
            FileDescriptor[] imports =
                    file.getDependencyList().stream().map(built::get).toArray(FileDescriptor[]::new);
            try {
                built.put(file.getName(), FileDescriptor.buildFrom(file, imports));
            } catch (DescriptorValidationException e) {
                throw new AssertionError(file.getName() + " of the frozen schema is none", e);
            }
        }
        return built.values().stream()
                .filter(file -> fullName.startsWith(file.getPackage() + "."))
                .map(file -> file.findMessageTypeByName(
                        fullName.substring(file.getPackage().length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** What of this released schema {@code now} breaks: a sentence for each, naming it. */
    List<String> brokenBy(Schema now) {
        List<String> broken = new ArrayList<>();
        Map<String, DescriptorProto> messages = now.messages();
        messages().forEach((name, was) -> messages(name, was, messages.get(name), broken));
        Map<String, EnumDescriptorProto> enums = now.enums();
        enums().forEach((name, was) -> values(name, was, enums.get(name), broken));
        Map<String, MethodDescriptorProto> methods = now.methods();
        methods().forEach((name, was) -> {
            if (!was.equals(methods.get(name))) {
                broken.add("The method %s is %s now: whoever calls it as it was is refused."
                        .formatted(name, methods.containsKey(name) ? "another" : "gone"));
            }
        });
        return broken;
    }

    private static void messages(String name, DescriptorProto was, @Nullable DescriptorProto now, List<String> broken) {
        if (now == null) {
            broken.add("%s is gone: the other version still writes it.".formatted(name));
            return;
        }
        for (FieldDescriptorProto field : was.getFieldList()) {
            String of = name + "." + field.getName();
            FieldDescriptorProto same = now.getFieldList().stream()
                    .filter(each -> each.getNumber() == field.getNumber())
                    .findFirst()
                    .orElse(null);
            if (same == null) {
                broken.add(
                        "%s (%d) is gone or has another number: what the other version writes there is not read any more."
                                .formatted(of, field.getNumber()));
            } else if (!same.getName().equals(field.getName())) {
                broken.add("%s (%d) is called %s now: a number is never given to something else."
                        .formatted(of, field.getNumber(), same.getName()));
            } else if (!kind(was, field).equals(kind(now, same))) {
                broken.add("%s (%d) is %s now and was %s: the other version reads it as what it was."
                        .formatted(of, field.getNumber(), kind(now, same), kind(was, field)));
            }
        }
    }

    /** All of a field that the other side relies on, in words. */
    private static String kind(DescriptorProto message, FieldDescriptorProto field) {
        boolean optional = field.getProto3Optional();
        String label =
                switch (field.getLabel()) {
                    case LABEL_OPTIONAL -> optional ? "optional " : "";
                    case LABEL_REPEATED -> "repeated ";
                    case LABEL_REQUIRED -> "required ";
                };
        return label
                + field.getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT)
                + (field.hasTypeName() ? " " + field.getTypeName() : "")
                + (field.hasOneofIndex() && !optional
                        ? " in " + message.getOneofDecl(field.getOneofIndex()).getName()
                        : "");
    }

    private static void values(
            String name, EnumDescriptorProto was, @Nullable EnumDescriptorProto now, List<String> broken) {
        if (now == null) {
            broken.add("%s is gone: the other version still writes it.".formatted(name));
            return;
        }
        for (EnumValueDescriptorProto value : was.getValueList()) {
            boolean same = now.getValueList().stream()
                    .anyMatch(each -> each.getNumber() == value.getNumber()
                            && each.getName().equals(value.getName()));
            if (!same) {
                broken.add("%s.%s (%d) is gone, or means something else now: the other version still writes it."
                        .formatted(name, value.getName(), value.getNumber()));
            }
        }
    }

    // ---- everything by its full name

    Map<String, DescriptorProto> messages() {
        Map<String, DescriptorProto> all = new TreeMap<>();
        for (FileDescriptorProto file : files.getFileList()) collect(file.getPackage(), file.getMessageTypeList(), all);
        return all;
    }

    private static void collect(String scope, List<DescriptorProto> messages, Map<String, DescriptorProto> all) {
        for (DescriptorProto message : messages) {
            all.put(scope + "." + message.getName(), message);
            collect(scope + "." + message.getName(), message.getNestedTypeList(), all);
        }
    }

    Map<String, EnumDescriptorProto> enums() {
        Map<String, EnumDescriptorProto> all = new TreeMap<>();
        for (FileDescriptorProto file : files.getFileList()) {
            for (EnumDescriptorProto each : file.getEnumTypeList())
                all.put(file.getPackage() + "." + each.getName(), each);
        }
        messages().forEach((name, message) -> {
            for (EnumDescriptorProto each : message.getEnumTypeList()) all.put(name + "." + each.getName(), each);
        });
        return all;
    }

    private Map<String, MethodDescriptorProto> methods() {
        Map<String, MethodDescriptorProto> all = new TreeMap<>();
        for (FileDescriptorProto file : files.getFileList()) {
            for (ServiceDescriptorProto service : file.getServiceList()) {
                for (MethodDescriptorProto method : service.getMethodList()) {
                    all.put(file.getPackage() + "." + service.getName() + "." + method.getName(), method);
                }
            }
        }
        return all;
    }
}
