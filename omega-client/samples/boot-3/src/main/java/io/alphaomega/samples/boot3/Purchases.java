package io.alphaomega.samples.boot3;

import io.alphaomega.omega.Compensable;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Purchases {
    private final JdbcClient jdbc;

    Purchases(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    @Compensable(compensationMethod = "cancel")
    public void order(String item) {
        jdbc.sql("insert into purchase (item, state) values (?, 'ORDERED')")
                .param(item)
                .update();
    }

    @Transactional
    public void cancel(String item) {
        jdbc.sql("update purchase set state = 'CANCELLED' where item = ?")
                .param(item)
                .update();
    }

    List<String> states(String item) {
        return jdbc.sql("select state from purchase where item = ?")
                .param(item)
                .query(String.class)
                .list();
    }
}
