package io.alphaomega.samples.shop.stock;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;

interface Articles extends JpaRepository<Article, String> {
    /** Locked until the transaction ends: orders of one article wait for each other instead of failing. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    Optional<Article> findByName(String name);
}
