//! Plot of counts over time, as SVG: a stair for each series, a dashed line for its expected
//! value.

use std::fmt::Write;

/// Count that grows over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the count.
    pub name: String,
    /// Times at which it grew by one, ascending.
    pub at: Vec<f64>,
    /// Expected final value.
    pub expected: Option<u64>,
}

/// Contents of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot<'a> {
    /// Text above the plot.
    pub title: &'a str,
    /// Text below the horizontal axis.
    pub unit: &'a str,
    /// Series; colours repeat after eight.
    pub series: &'a [Series],
    /// Marked times, with their labels.
    pub marks: &'a [(f64, String)],
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 50.0;
/// Width of the legend at the right of the plot.
const LEGEND: f64 = 150.0;
const BOTTOM: f64 = 50.0;
const COLORS: [&str; 8] = [
    "#1b6ca8", "#c8553d", "#3b7a57", "#8a4fb0", "#b8860b", "#00838f", "#ad1457", "#5d4037",
];

/// Draws a plot.
#[must_use]
pub fn draw_plot(plot: &Plot<'_>) -> String {
    let moments = plot.series.iter().flat_map(|series| &series.at);
    let marks = plot.marks.iter().map(|(at, _)| at);
    let last = moments.chain(marks).copied().fold(0.0, f64::max);
    let counts = plot.series.iter().map(|series| {
        let expected = series.expected.unwrap_or_default();
        expected.max(series.at.len() as u64)
    });
    let canvas = Canvas {
        last: if last > 0.0 { last } else { 1.0 },
        most: counts.max().unwrap_or_default().max(1) as f64,
        svg: String::new(),
    };
    canvas.draw(plot)
}

struct Canvas {
    /// Latest time.
    last: f64,
    /// Largest count.
    most: f64,
    svg: String,
}

impl Canvas {
    fn x(&self, moment: f64) -> f64 {
        LEFT + moment / self.last * (WIDTH - LEFT - LEGEND)
    }

    fn y(&self, count: f64) -> f64 {
        HEIGHT - BOTTOM - count / self.most * (HEIGHT - TOP - BOTTOM)
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = writeln!(self.svg, "{element}");
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        self.push(format_args!(
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" {style}/>"#,
            from.0, from.1, to.0, to.1
        ));
    }

    fn draw(mut self, plot: &Plot<'_>) -> String {
        self.push(format_args!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##
        ));
        self.text((WIDTH - LEGEND + LEFT) / 2.0, 24.0, "middle", plot.title);
        self.axes(plot.unit);
        for (at, name) in plot.marks {
            let x = self.x(*at);
            let style = r##"stroke="#ddd""##;
            self.line((x, self.y(0.0)), (x, TOP), style);
            self.text(x, TOP - 6.0, "middle", name);
        }
        for (place, series) in plot.series.iter().enumerate() {
            self.stair(series, place);
        }
        self.svg.push_str("</svg>\n");
        self.svg
    }

    fn axes(&mut self, unit: &str) {
        let style = r##"stroke="#333""##;
        let (origin, right) = (self.y(0.0), self.x(self.last));
        self.line((LEFT, origin), (right, origin), style);
        self.line((LEFT, origin), (LEFT, TOP), style);
        for count in steps(self.most) {
            let y = self.y(count);
            self.line((LEFT - 4.0, y), (LEFT, y), style);
            self.text(LEFT - 8.0, y + 4.0, "end", &format!("{count}"));
        }
        for moment in steps(self.last) {
            let x = self.x(moment);
            self.line((x, origin), (x, origin + 4.0), style);
            self.text(x, origin + 18.0, "middle", &short(moment));
        }
        self.text((LEFT + right) / 2.0, HEIGHT - 10.0, "middle", unit);
    }

    fn stair(&mut self, series: &Series, place: usize) {
        let color = COLORS[place % COLORS.len()];
        let mut path = format!("M{:.1} {:.1}", self.x(0.0), self.y(0.0));
        for (count, &at) in series.at.iter().enumerate() {
            let _ = write!(path, "H{:.1}V{:.1}", self.x(at), self.y(count as f64 + 1.0));
        }
        let _ = write!(path, "H{:.1}", self.x(self.last));
        self.push(format_args!(
            r#"<path d="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>"#
        ));
        let mut legend = format!("{} {}", series.name, series.at.len());
        if let Some(expected) = series.expected {
            let y = self.y(expected as f64);
            let style = format!(r#"stroke="{color}" stroke-dasharray="5 4""#);
            self.line((LEFT, y), (self.x(self.last), y), &style);
            let _ = write!(legend, " of {expected}");
        }
        let (x, y) = (WIDTH - LEGEND + 16.0, TOP + 12.0 + 20.0 * place as f64);
        let style = format!(r#"stroke="{color}" stroke-width="3""#);
        self.line((x, y - 4.0), (x + 18.0, y - 4.0), &style);
        self.text(x + 24.0, y, "start", &legend);
    }
}

/// Five to ten round numbers from 0 to `most`.
fn steps(most: f64) -> impl Iterator<Item = f64> {
    let power = 10_f64.powf((most / 5.0).log10().floor());
    let step = [10.0, 5.0, 2.0, 1.0].map(|factor| factor * power);
    let step = step
        .into_iter()
        .find(|step| most / step >= 5.0)
        .unwrap_or(power);
    (0..=(most / step + 1e-9) as u64).map(move |count| count as f64 * step)
}

/// Formats a number with at most three decimal places.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn steps_are_round() {
        let of = |most| steps(most).map(short).collect::<Vec<_>>().join(" ");
        assert_eq!(of(29.0), "0 5 10 15 20 25");
        assert_eq!(of(1.0), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(of(0.07), "0 0.01 0.02 0.03 0.04 0.05 0.06 0.07");
    }

    #[test]
    fn a_stair_ends_where_time_does() {
        let series = [Series {
            name: "left<T>".to_owned(),
            at: vec![0.5, 1.0],
            expected: Some(4),
        }];
        let marks = [(2.0, "scope 1".to_owned())];
        let svg = draw_plot(&Plot {
            title: "pairs",
            unit: "seconds",
            series: &series,
            marks: &marks,
        });
        let stair = svg.lines().find(|line| line.starts_with("<path"));
        expect![[r##"<path d="M60.0 390.0H197.5V305.0H335.0V220.0H610.0" fill="none" stroke="#1b6ca8" stroke-width="1.5"/>"##]]
            .assert_eq(stair.unwrap_or_default());
        assert!(svg.contains("left&lt;T&gt; 2 of 4"));
    }
}
