package io.alphaomega.samples.shop.stock;

import org.springframework.data.jpa.repository.JpaRepository;

interface Reservations extends JpaRepository<Reservation, String> {}
