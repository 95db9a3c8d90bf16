package io.alphaomega.benchmark.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PlotTest {
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void a_curve_has_a_point_for_each_figure_and_says_it() throws Exception {
        Plot plot = new Plot(List.of(new Plot.Panel(
                "Cost & more",
                "sagas",
                "ms",
                List.of(new Plot.Curve(
                        "a < b", List.of(new double[] {1, 0.5}, new double[] {1_000, 1}, new double[] {1e6, 2}))))));

        String svg = plot.svg();
        Document read = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(read.getElementsByTagName("circle").getLength()).isEqualTo(3);
        assertThat(read.getElementsByTagName("title").item(1).getTextContent()).isEqualTo("a < b: 1 at 1,000");
        assertThat(svg).contains(">Cost &amp; more<", ">1k<", ">1M<");
    }

    @Test
    void the_curves_of_the_docs_are_those_of_their_figures() throws Exception {
        assertThat(Plot.read(DOCS.resolve("scale.json")).svg()).isEqualTo(Files.readString(DOCS.resolve("scale.svg")));
    }
}
