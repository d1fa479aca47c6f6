package org.heapwright.maven;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.maven.doxia.sink.Sink;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.reporting.AbstractMavenReport;
import org.apache.maven.reporting.MavenReportException;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Summary;

/** Shows the summaries of the other goals as a report of the project's site. Nothing is run for it. */
@Mojo(name = "report", threadSafe = true)
public final class HeapwrightReport extends AbstractMavenReport {
    /** Folder of the summaries. */
    @Parameter(property = "heapwright.reportsDirectory", defaultValue = "${project.build.directory}/heapwright")
    private File reportsDirectory;

    /** Skips the report. */
    @Parameter(property = "heapwright.skip", defaultValue = "false")
    private boolean skip;

    @Override
    @Deprecated
    public String getOutputName() {
        return "heapwright";
    }

    @Override
    public String getName(Locale locale) {
        return "Heapwright";
    }

    @Override
    public String getDescription(Locale locale) {
        return "Generated tests, counterexamples, coverage and mutation score.";
    }

    @Override
    public boolean canGenerateReport() {
        return !skip && reportsDirectory.isDirectory();
    }

    @Override
    protected void executeReport(Locale locale) throws MavenReportException {
        List<Summary> summaries = new ArrayList<>();
        try {
            for (Path file : files()) {
                summaries.add(Summary.read(file));
            }
        } catch (LauncherException e) {
            throw new MavenReportException(e.getMessage(), e);
        }
        Sink sink = getSink();
        sink.head();
        sink.title();
        sink.text(getName(locale));
        sink.title_();
        sink.head_();
        sink.body();
        heading(sink, 1, getName(locale));
        if (summaries.isEmpty()) {
            paragraph(sink, "No goal of Heapwright has been run: there is no summary in " + reportsDirectory + ".");
        }
        for (Summary summary : summaries) {
            show(sink, summary);
        }
        sink.body_();
        sink.close();
    }

    private List<Path> files() throws MavenReportException {
        try (Stream<Path> all = Files.list(reportsDirectory.toPath())) {
            return all.filter(file -> file.getFileName().toString().matches("heapwright-.*\\.json")).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            throw new MavenReportException("failed to list " + reportsDirectory + ": " + e, e);
        }
    }

    private static void show(Sink sink, Summary summary) {
        heading(sink, 2, summary.verb() + " of " + summary.subject());
        paragraph(sink, summary.line());
        boolean hasMutants = summary.verb().equals("generate") || summary.verb().equals("measure");
        if (hasMutants) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("Class", "Branches", "Mutants noticed"));
            for (Summary of : summary.byClass()) {
                rows.add(List.of(
                        of.text("class"),
                        of.number("branches_covered") + " of "
                                + (of.number("branches_total") - of.number("branches_infeasible")),
                        of.number("killed") + " of " + (of.number("mutants") - of.number("mutants_equivalent"))));
            }
            table(sink, rows);
        }
        list(sink, "Found", summary.findings());
        List<String> alive = new ArrayList<>(summary.aliveMutants());
        if (summary.verb().equals("generate")) {
            summary.byClass().stream().filter(of -> of != summary).forEach(of -> alive.addAll(of.aliveMutants()));
        }
        list(sink, "Mutants that no test notices", alive);
    }

    private static void list(Sink sink, String title, List<String> items) {
        if (items.isEmpty()) {
            return;
        }
        heading(sink, 3, title);
        sink.list();
        for (String item : items) {
            sink.listItem();
            sink.text(item);
            sink.listItem_();
        }
        sink.list_();
    }

    private static void table(Sink sink, List<List<String>> rows) {
        sink.table();
        sink.tableRows(new int[] {Sink.JUSTIFY_LEFT, Sink.JUSTIFY_RIGHT, Sink.JUSTIFY_RIGHT}, false);
        for (int i = 0; i < rows.size(); i++) {
            sink.tableRow();
            for (String cell : rows.get(i)) {
                if (i == 0) {
                    sink.tableHeaderCell();
                    sink.text(cell);
                    sink.tableHeaderCell_();
                } else {
                    sink.tableCell();
                    sink.text(cell);
                    sink.tableCell_();
                }
            }
            sink.tableRow_();
        }
        sink.tableRows_();
        sink.table_();
    }

    private static void heading(Sink sink, int level, String text) {
        sink.section(level, null);
        sink.sectionTitle(level, null);
        sink.text(text);
        sink.sectionTitle_(level);
        sink.section_(level);
    }

    private static void paragraph(Sink sink, String text) {
        sink.paragraph();
        sink.text(text);
        sink.paragraph_();
    }
}
