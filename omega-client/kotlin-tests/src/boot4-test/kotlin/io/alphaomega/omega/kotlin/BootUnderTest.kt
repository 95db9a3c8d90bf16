package io.alphaomega.omega.kotlin

// What tests use of Spring Boot 4 that is elsewhere in Boot 3.

internal typealias DataSourceAutoConfiguration = org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration
