package io.alphaomega.server.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is refused before a controller sees it, such as by the servlet container, as a problem like any other. */
@RestController
class Errors implements ErrorController {
    @RequestMapping("/error")
    ProblemDetail error(HttpServletRequest request) {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        ProblemDetail problem =
                ProblemDetail.forStatus(code instanceof Integer status ? status : HttpStatus.NOT_FOUND.value());
        if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String path) {
            problem.setDetail("%s %s was refused.".formatted(request.getMethod(), path));
        }
        return problem;
    }
}
