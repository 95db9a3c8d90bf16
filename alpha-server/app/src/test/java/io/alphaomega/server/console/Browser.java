package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Installed;
import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium, without a screen. What it has seen is kept in target/console. */
final class Browser implements AutoCloseable {
    private static final Path SEEN = Path.of("target", "console");

    private static final String AXE = axe();

    /** As a laptop shows it, and a telephone. */
    enum Width {
        WIDE(1280),
        NARROW(390);

        private final int pixels;

        Width(int pixels) {
            this.pixels = pixels;
        }
    }

    private final String address;
    private final ChromeDriver driver;

    Browser(String address) {
        this.address = address;
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Installed.browser().toString());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(Installed.browserDriver().toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    Browser open(String path) {
        driver.get("http://" + address + path);
        return this;
    }

    Browser width(Width width) {
        // Chromium's window is never narrower than 500; the page's view can be.
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width.pixels, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        return this;
    }

    Browser theme(String theme) {
        driver.executeScript("localStorage.setItem('alpha.theme', arguments[0])", theme);
        return this;
    }

    /** As a page of this address keeps what somebody has chosen. */
    Browser choose(String cookie, String value) {
        driver.manage().addCookie(new Cookie(cookie, value, "/"));
        return this;
    }

    /** The whole page, as high as it is. */
    void keep(String name) {
        try {
            Files.createDirectories(SEEN);
            Object height = driver.executeScript("return document.documentElement.scrollHeight");
            Object width = driver.executeScript("return window.innerWidth");
            driver.executeCdpCommand(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
            Files.write(SEEN.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String path() {
        return driver.getCurrentUrl().substring(("http://" + address).length());
    }

    String text(String selector) {
        return await().ignoreException(StaleElementReferenceException.class)
                .until(() -> driver.findElement(By.cssSelector(selector)).getText(), text -> true);
    }

    boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** Writes into a field what replaces what is there; from the beginning, if the page was drawn anew meanwhile. */
    void write(String selector, CharSequence... keys) {
        await().ignoreException(StaleElementReferenceException.class).until(() -> {
            WebElement field = find(selector);
            field.clear();
            field.sendKeys(keys);
            return true;
        });
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    @Nullable
    Object run(String script) {
        return driver.executeScript(script);
    }

    /** Of a script that says {@code done(result)} some time. */
    @Nullable
    Object runAsync(String script) {
        driver.manage().timeouts().scriptTimeout(Patience.LIMIT);
        return driver.executeAsyncScript("const done = arguments[arguments.length - 1];" + script);
    }

    Browser keys(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
        return this;
    }

    /** Whether the page is wider than its window. */
    boolean overflows() {
        return Boolean.TRUE.equals(driver.executeScript(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"));
    }

    /** What keeps somebody from reading or using the page, by WCAG 2.1 AA: what axe-core calls serious or critical. */
    List<String> barriers() {
        driver.executeScript(AXE);
        Object found = runAsync("""
                axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations']})
                    .then((result) => done(result.violations
                        .filter((rule) => rule.impact === 'serious' || rule.impact === 'critical')
                        .map((rule) => `${rule.id}: ${rule.help}: ${rule.nodes.map((node) => node.html).join('; ')}`)))
                    .catch((failure) => done([String(failure)]));
                """);
        return found instanceof List<?> barriers
                ? barriers.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the browser had to say against the pages so far. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(Object::toString)
                .toList();
    }

    void isContent() {
        assertThat(complaints()).isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
