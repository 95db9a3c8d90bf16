package io.alphaomega.samples.bank.teller;

import io.alphaomega.samples.bank.Problems;
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
            return ResponseEntity.of(book.transfer(order.id()));
        } catch (RuntimeException cause) {
            ProblemDetail problem = Problems.of(cause);
            book.transfer(order.id()).ifPresent(entered -> problem.setProperty("saga", entered.saga()));
            return ResponseEntity.of(problem).build();
        }
    }

    @GetMapping("/transfers/{id}")
    ResponseEntity<Transfer> transfer(@PathVariable("id") String id) {
        return ResponseEntity.of(book.transfer(id));
    }
}
