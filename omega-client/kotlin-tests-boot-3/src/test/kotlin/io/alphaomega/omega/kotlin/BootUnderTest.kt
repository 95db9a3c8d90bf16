package io.alphaomega.omega.kotlin

// What tests use of Spring Boot 3 that is elsewhere in Boot 4.

internal typealias DataSourceAutoConfiguration = org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration
