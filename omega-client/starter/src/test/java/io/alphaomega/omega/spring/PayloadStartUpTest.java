package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.PayloadCodec;
import jakarta.persistence.Entity;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What is said at start about arguments and results that would not come back as they were. */
@ExtendWith(OutputCaptureExtension.class)
class PayloadStartUpTest {
    @TempDir
    Path directory;

    record Order(String what, @JsonIgnore String card, List<Line> lines) {}

    static class Line {
        private String code = "";
        private String pin = "";

        public String getCode() {
            return code;
        }

        public void setCode(String code) {
            this.code = code;
        }

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public String getPin() {
            return pin;
        }

        public void setPin(String pin) {
            this.pin = pin;
        }
    }

    static class IgnoringShop {
        @Compensable(compensationMethod = "undo")
        public void order(int number, Order order) {}

        public void undo(int number, Order order) {}
    }

    @Test
    void properties_that_are_hidden_elsewhere_are_named_as_kept(CapturedOutput output) {
        Applications.plain().withBean(IgnoringShop.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("PayloadStartUpTest.IgnoringShop.order keeps what annotations hide from JSON elsewhere")
                    .contains("argument 2 (order)", "'card' of PayloadStartUpTest.Order")
                    .contains("'pin' of PayloadStartUpTest.Line");
        });
    }

    @Entity
    static class Customer {
        public String name = "";
    }

    static class EntityShop {
        @Compensable(compensationMethod = "undo")
        public void order(Map<String, Customer> customers) {}

        public void undo(Map<String, Customer> customers) {}
    }

    @Test
    void entities_are_named(CapturedOutput output) {
        Applications.plain().withBean(EntityShop.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("PayloadStartUpTest.EntityShop.order")
                    .contains("PayloadStartUpTest.Customer is a JPA entity");
        });
    }

    interface Thing {}

    static class AbstractArgumentShop {
        @Compensable(compensationMethod = "undo")
        public void order(List<Thing> things) {}

        public void undo(List<Thing> things) {}
    }

    static class UntakenArgumentShop {
        @Compensable(compensationMethod = "undo")
        public void order(List<Thing> things) {}

        public void undo() {}
    }

    @Test
    void arguments_that_could_never_be_read_again_are_refused_if_the_compensation_takes_them() {
        Applications.plain()
                .withBean(AbstractArgumentShop.class)
                .run(context -> assertRefused(
                        context,
                        "The argument 1 (things) of PayloadStartUpTest.AbstractArgumentShop.order(List)",
                        "PayloadStartUpTest.Thing is abstract"));
        Applications.plain()
                .withBean(UntakenArgumentShop.class)
                .run(context -> assertThat(context).hasNotFailed());
        Applications.plain()
                .withBean(AbstractArgumentShop.class)
                .withBean(PayloadCodec.class, Shouting::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Any codec of an application's. */
    static class Shouting implements PayloadCodec {
        @Override
        public byte[] encode(Type type, @Nullable Object value) {
            return new byte[0];
        }

        @Override
        public @Nullable Object decode(Type type, byte[] json) {
            return null;
        }
    }

    static class AbstractResultShop {
        @Compensable(compensationMethod = "undo")
        public Thing order() {
            return new Thing() {};
        }

        public void undo() {}
    }

    static class UnstoredResultShop {
        @Compensable(compensationMethod = "undo", storeResult = false)
        public Thing order() {
            return new Thing() {};
        }

        public void undo() {}
    }

    @Test
    void results_that_could_never_be_read_again_are_refused_if_the_fence_keeps_them() {
        Applications.plain()
                .withBean(AbstractResultShop.class)
                .run(context -> assertThat(context).hasNotFailed());
        Applications.withDatabase(directory)
                .withBean(AbstractResultShop.class)
                .run(context -> assertRefused(context, "The result of", "Thing is abstract"));
        Applications.withDatabase(directory)
                .withBean(UnstoredResultShop.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class TakenResultShop {
        @Compensable(compensationMethod = "undo", storeResult = false)
        public String order() {
            return "";
        }

        public void undo(String result) {}
    }

    static class PrimitiveResultShop {
        @Compensable(compensationMethod = "undo", storeResult = false)
        public int order() {
            return 1;
        }

        public void undo() {}
    }

    @Test
    void a_result_that_somebody_needs_is_stored() {
        Applications.plain()
                .withBean(TakenResultShop.class)
                .run(context -> assertRefused(context, "says storeResult = false, but its compensation"));
        Applications.plain()
                .withBean(PrimitiveResultShop.class)
                .run(context -> assertRefused(context, "a repeated call returns null, which is no int"));
    }
}
