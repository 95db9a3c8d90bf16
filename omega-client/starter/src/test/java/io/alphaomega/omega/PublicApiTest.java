package io.alphaomega.omega;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What services see of omega, a line for each member, as it is in {@code api/omega.txt}. A change of that file is a change of
 * the API: {@code -Drewrite} writes it anew. All else is internal, and may change with each version.
 */
class PublicApiTest {
    private static final Set<String> PACKAGES = Set.of("io.alphaomega.omega", "io.alphaomega.omega.observation");

    /** What services see of other packages. */
    private static final Set<String> TYPES =
            Set.of("io.alphaomega.omega.context.SagaCarrier", "io.alphaomega.omega.redis.FencedRedis");

    /** Made by the auto-configuration alone. */
    private static final Set<String> NOT_FOR_SERVICES = Set.of("io.alphaomega.omega.context.SagaCarrier.<init>");

    private static final Path FILE = Path.of("src/test/resources/api/omega.txt");

    private static final JavaClasses omega = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.alphaomega.omega");

    @Test
    void is_what_it_was() throws IOException {
        String lines = apiClasses()
                .flatMap(type -> Stream.concat(Stream.of(typeLine(type)), memberLines(type)))
                .collect(Collectors.joining("\n", "", "\n"));
        if (System.getProperty("rewrite") != null) Files.writeString(FILE, lines);
        assertThat(lines).isEqualTo(Files.readString(FILE, StandardCharsets.UTF_8));
    }

    @Test
    void shows_no_type_of_an_internal_package() {
        List<String> shown = new ArrayList<>();
        apiClasses()
                .forEach(type -> visible(type)
                        .forEach(member -> member.getAllInvolvedRawTypes().stream()
                                .map(JavaClass::getBaseComponentType)
                                .filter(used -> used.getPackageName().startsWith("io.alphaomega.omega") && !isApi(used))
                                .forEach(used -> shown.add(member.getFullName() + " shows " + used.getName()))));
        assertThat(shown).isEmpty();
    }

    private static Stream<JavaClass> apiClasses() {
        return omega.stream()
                .filter(PublicApiTest::isApi)
                .filter(PublicApiTest::isVisible)
                .sorted(Comparator.comparing(JavaClass::getName));
    }

    private static boolean isApi(JavaClass type) {
        return PACKAGES.contains(type.getPackageName())
                || TYPES.stream().anyMatch(name -> (type.getName() + "$").startsWith(name + "$"));
    }

    private static boolean isVisible(JavaClass type) {
        return isSeen(type)
                && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
    }

    private static boolean isSeen(HasModifiers what) {
        Set<JavaModifier> modifiers = what.getModifiers();
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC)
                && !modifiers.contains(JavaModifier.BRIDGE);
    }

    private static Stream<JavaMember> visible(JavaClass type) {
        return type.getMembers().stream()
                .filter(PublicApiTest::isSeen)
                .filter(member -> !NOT_FOR_SERVICES.contains(type.getName() + "." + member.getName()));
    }

    private static String typeLine(JavaClass type) {
        String supers = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                .map(JavaClass::getName)
                .filter(name -> !name.equals("java.lang.Object"))
                .sorted()
                .collect(Collectors.joining(", "));
        return modifiers(type) + kind(type) + " " + type.getName() + (supers.isEmpty() ? "" : " : " + supers);
    }

    private static String kind(JavaClass type) {
        if (type.isAnnotation()) return "@interface";
        if (type.isInterface()) return "interface";
        if (type.isEnum()) return "enum";
        return type.isRecord() ? "record" : "class";
    }

    private static Stream<String> memberLines(JavaClass type) {
        return visible(type)
                .map(member -> "  " + modifiers(member) + signature(member))
                .collect(Collectors.toCollection(TreeSet::new))
                .stream();
    }

    private static String signature(JavaMember member) {
        if (!(member instanceof JavaCodeUnit code)) {
            return member.getAllInvolvedRawTypes().iterator().next().getName() + " " + member.getName();
        }
        String parameters =
                code.getParameterTypes().stream().map(JavaType::getName).collect(Collectors.joining(", ", "(", ")"));
        String unlessSaid = code instanceof JavaMethod method
                ? method.getDefaultValue()
                        .map(value -> " default " + text(value))
                        .orElse("")
                : "";
        return code.getReturnType().getName() + " " + code.getName() + parameters + unlessSaid;
    }

    private static String text(Object value) {
        return value instanceof Object[] all ? Arrays.toString(all) : value.toString();
    }

    private static String modifiers(HasModifiers what) {
        return what.getModifiers().stream()
                .filter(each -> each != JavaModifier.PUBLIC
                        && each != JavaModifier.SYNTHETIC
                        && each != JavaModifier.TRANSIENT
                        && each != JavaModifier.VOLATILE)
                .sorted()
                .map(each -> each.name().toLowerCase(Locale.ROOT) + " ")
                .collect(Collectors.joining());
    }
}
