package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.repository.query.Param;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Participants that nobody has written a class for: repositories of Spring Data and mappers of MyBatis. */
@SpringBootTest(
        classes = RepositoriesTest.Bar.class,
        properties = {
            "spring.application.name=bar",
            "spring.jpa.hibernate.ddl-auto=create-only", // Its user may not drop.
            "spring.jpa.open-in-view=false"
        })
@OmegaTest
class RepositoriesTest {
    @Autowired
    private Stools stools;

    @Autowired
    private Mugs mugs;

    @Autowired
    private Evening evening;

    @Autowired
    private JdbcClient database;

    @Autowired
    private TestAlpha alpha;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", Databases.POSTGRESQL::url);
        properties.add("spring.datasource.username", () -> DatabaseServer.USER);
        properties.add("spring.datasource.password", () -> DatabaseServer.PASSWORD);
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableJpaRepositories(considerNestedRepositories = true, basePackageClasses = RepositoriesTest.class)
    @MapperScan(basePackageClasses = RepositoriesTest.class, annotationClass = Mapper.class)
    @Import(Evening.class)
    static class Bar {}

    static class Evening {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    @Entity(name = "stool")
    static class Stool {
        @Id
        String id = "";

        String guest = "";
    }

    interface Stools extends JpaRepository<Stool, String> {
        @Compensable(compensationMethod = "leave")
        default String take(String id, String guest) {
            Stool stool = new Stool();
            stool.id = id;
            stool.guest = guest;
            return save(stool).id;
        }

        default void leave(String id, String guest) {
            deleteById(id);
        }

        @Modifying
        @Query("update stool set guest = :to where guest = :from")
        @Compensable(compensationMethod = "renameBack")
        int rename(@Param("from") String from, @Param("to") String to);

        @Modifying
        @Query("update stool set guest = :from where guest = :to")
        void renameBack(@Param("from") String from, @Param("to") String to);
    }

    @Mapper
    interface Mugs {
        @Insert("insert into stool (id, guest) values (#{id}, #{guest})")
        @Compensable(compensationMethod = "wash")
        void fill(String id, String guest);

        @Delete("delete from stool where id = #{id}")
        void wash(String id, String guest);
    }

    @BeforeEach
    void empty() {
        database.sql("delete from stool").update();
    }

    private List<@Nullable String> guests() {
        return database.sql("select guest from stool order by id")
                .query(String.class)
                .list();
    }

    private long rows() {
        return database.sql("select count(*) from omega_fence where op = 'forward' and reason = 'forward' and saga = ?")
                .param(alpha.saga().id())
                .query(Long.class)
                .single();
    }

    private void closed(Runnable business) {
        assertThatThrownBy(() -> evening.plan(() -> {
                    business.run();
                    throw new IllegalStateException("closed");
                }))
                .hasMessage("closed");
    }

    @Test
    void a_default_method_of_a_repository_is_a_branch_behind_the_fence() {
        evening.plan(() -> assertThat(stools.take("1", "Ada")).isEqualTo("1"));
        assertThat(alpha.saga()).committed();
        assertThat(rows()).isOne();
        alpha.reset();
        closed(() -> stools.take("2", "Grace"));
        assertThat(alpha.saga()).compensated("RepositoriesTest.Stools.take");
        assertThat(guests()).containsExactly("Ada");
    }

    @Test
    void so_is_a_query_of_one() {
        evening.plan(() -> stools.take("1", "Ada"));
        alpha.reset();
        closed(() -> assertThat(stools.rename("Ada", "Grace")).isOne());
        assertThat(alpha.saga()).compensated("RepositoriesTest.Stools.rename");
        assertThat(guests()).containsExactly("Ada");
        assertThat(rows()).isOne();
    }

    @Test
    void so_is_a_statement_of_a_mapper() {
        evening.plan(() -> mugs.fill("1", "Ada"));
        assertThat(alpha.saga()).committed();
        assertThat(rows()).isOne();
        alpha.reset();
        closed(() -> mugs.fill("2", "Grace"));
        assertThat(alpha.saga()).compensated("RepositoriesTest.Mugs.fill");
        assertThat(guests()).containsExactly("Ada");
    }
}
