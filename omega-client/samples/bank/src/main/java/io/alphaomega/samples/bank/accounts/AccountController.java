package io.alphaomega.samples.bank.accounts;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The accounts over HTTP. Which saga a request belongs to comes with its headers; omega sees to that. */
@RestController
class AccountController {
    private final AccountDesk desk;

    AccountController(AccountDesk desk) {
        this.desk = desk;
    }

    @PostMapping("/withdrawals")
    @ResponseStatus(HttpStatus.CREATED)
    void withdraw(@RequestBody Posting posting) {
        desk.withdraw(posting);
    }

    @PostMapping("/deposits")
    @ResponseStatus(HttpStatus.CREATED)
    void deposit(@RequestBody Posting posting) {
        desk.deposit(posting);
    }

    @PutMapping("/accounts/{id}")
    void open(@PathVariable("id") String id, @RequestParam("balance") long balance) {
        desk.open(id, balance);
    }

    @DeleteMapping("/accounts/{id}")
    void close(@PathVariable("id") String id) {
        desk.close(id);
    }

    @GetMapping("/accounts/{id}")
    ResponseEntity<Account> account(@PathVariable("id") String id) {
        return ResponseEntity.of(desk.account(id));
    }
}
