package io.alphaomega.omega.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test that starts the application, such as one with {@code @SpringBootTest}, an alpha in memory instead of one
 * over the network. It can be injected: {@link TestAlpha}. Every argument and result that omega keeps is read back and
 * compared, not only a sample.
 *
 * <p>Before each test method the alpha is emptied and its clock reset. A test method fails if a trouble that it planned
 * never happened.
 *
 * <pre>
 * &#64;SpringBootTest
 * &#64;OmegaTest
 * class TripTest {
 *     &#64;Autowired Trips trips;
 *     &#64;Autowired TestAlpha alpha;
 *
 *     &#64;Test
 *     void a_trip_without_a_car_gives_the_room_back() {
 *         alpha.fail("CarDesk.book");
 *         assertThatThrownBy(() -&gt; trips.book("Ada"));
 *         assertThat(alpha.saga()).compensated("HotelDesk.book");
 *     }
 * }
 * </pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration
@TestPropertySource(properties = "omega.payload.read-back=ALWAYS")
public @interface OmegaTest {}
