package io.alphaomega.samples.boot3;

import io.alphaomega.omega.Compensable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Stock {
    private final JdbcClient jdbc;

    Stock(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static final class OutOfStockException extends RuntimeException {
        OutOfStockException(String item) {
            super("There is no " + item + ".");
        }
    }

    @PostMapping("/stock/{item}")
    @Transactional
    @Compensable(compensationMethod = "putBack")
    public void take(@PathVariable String item) {
        int taken = jdbc.sql("update stock set pieces = pieces - 1 where item = ? and pieces > 0")
                .param(item)
                .update();
        if (taken == 0) throw new OutOfStockException(item);
    }

    @Transactional
    public void putBack(String item) {
        jdbc.sql("update stock set pieces = pieces + 1 where item = ?")
                .param(item)
                .update();
    }

    int pieces(String item) {
        return jdbc.sql("select pieces from stock where item = ?")
                .param(item)
                .query(Integer.class)
                .single();
    }
}
