package io.alphaomega.samples.bank.teller;

import io.alphaomega.samples.bank.Problems;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Transfers over HTTP. */
@RestController
class TransferController {
    private final TransferService service;
    private final TransferBook book;

    TransferController(TransferService service, TransferBook book) {
        this.service = service;
        this.book = book;
    }

    /** 200 with the transfer if it is made; else a problem, with the saga's id where one was begun. */
    @PostMapping("/transfers")
    ResponseEntity<?> transfer(@RequestBody TransferOrder order) {
        try {
            service.transfer(order);
        } catch (RuntimeException cause) {
            ProblemDetail problem = Problems.of(cause);
            entered(order).ifPresent(entered -> problem.setProperty("saga", entered.saga()));
            return ResponseEntity.of(problem).build();
        }
        Optional<Transfer> made = entered(order);
        if (made.isPresent()) return ResponseEntity.of(made);
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.GATEWAY_TIMEOUT, "The transfer is made, but the book cannot be read now.");
        return ResponseEntity.of(problem).build();
    }

    /** What the book says, if it can be read: it must not take the place of what the customer has to be told. */
    private Optional<Transfer> entered(TransferOrder order) {
        try {
            return book.transfer(order.id());
        } catch (DataAccessException unreadable) {
            return Optional.empty();
        }
    }

    @GetMapping("/transfers/{id}")
    ResponseEntity<Transfer> transfer(@PathVariable("id") String id) {
        return ResponseEntity.of(book.transfer(id));
    }
}
