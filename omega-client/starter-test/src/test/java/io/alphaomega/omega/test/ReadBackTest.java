package io.alphaomega.omega.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaStart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** In a test each value is read back, not only the first of its shape and a sample of the others. */
@SpringBootTest(classes = ReadBackTest.Mint.class, properties = "spring.application.name=mint")
@OmegaTest
class ReadBackTest {
    @Autowired
    private Desk desk;

    @Autowired
    private Evening evening;

    @Autowired
    private TestAlpha alpha;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Desk.class, Evening.class})
    static class Mint {}

    static class Evening {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    /** Comes back as it was only if it is even. */
    static class Coins {
        private final int many;

        Coins(@JsonProperty("many") int many) {
            this.many = many / 2 * 2;
        }

        private Coins(int many, boolean exactly) {
            this.many = exactly ? many : 0;
        }

        static Coins of(int many) {
            return new Coins(many, true);
        }

        int many() {
            return many;
        }
    }

    static class Desk {
        private final List<Integer> taken = new ArrayList<>();

        @Compensable(compensationMethod = "giveBack", fenced = false)
        public void take(Coins coins) {
            taken.add(coins.many());
        }

        public void giveBack(Coins coins) {}

        List<Integer> taken() {
            return List.copyOf(taken);
        }
    }

    @Test
    void the_hundredth_value_of_a_shape_is_read_back_as_the_first_is() {
        for (int i = 0; i < 100; i++) evening.plan(() -> desk.take(Coins.of(2)));
        alpha.reset();
        assertThatThrownBy(() -> evening.plan(() -> desk.take(Coins.of(3))))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("ReadBackTest.Desk.take did not run")
                .hasMessageContaining("at many an Integer becomes another one");
        assertThat(desk.taken()).hasSize(100).containsOnly(2);
        assertThat(alpha.sagas()).isEmpty();
    }
}
