package io.alphaomega.server.console;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import org.springframework.web.servlet.i18n.CookieLocaleResolver;
import org.springframework.web.servlet.i18n.LocaleChangeInterceptor;

/** In which language the pages are: the one chosen by {@code ?lang=}, or else the one that the browser asks for. */
@Configuration(proxyBeanMethods = false)
class LanguageConfiguration implements WebMvcConfigurer {
    /** Of the address of any page. */
    static final String PARAMETER = "lang";

    private static final Duration KEPT = Duration.ofDays(365);

    @Bean
    LocaleResolver localeResolver() {
        AcceptHeaderLocaleResolver browser = new AcceptHeaderLocaleResolver();
        browser.setSupportedLocales(List.of(Locale.ENGLISH, Locale.CHINESE));
        browser.setDefaultLocale(Locale.ENGLISH);
        CookieLocaleResolver chosen = new CookieLocaleResolver("alpha.language");
        chosen.setDefaultLocaleFunction(browser::resolveLocale);
        chosen.setCookieMaxAge(KEPT);
        chosen.setCookieHttpOnly(true);
        chosen.setRejectInvalidCookies(false);
        return chosen;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        LocaleChangeInterceptor change = new LocaleChangeInterceptor();
        change.setParamName(PARAMETER);
        change.setIgnoreInvalidLocale(true);
        registry.addInterceptor(change).excludePathPatterns("/api/**");
    }
}
