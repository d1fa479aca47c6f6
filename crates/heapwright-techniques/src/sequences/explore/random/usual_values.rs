//! Values that people write: texts for parameters of usual names, numbers for days and hours, small numbers.

use std::borrow::Cow;

/// Texts for the last word of a name, several where a test has several such parameters.
const USUAL: [(&[&str], &[&str]); 22] = [
    (&["email", "mail"], &["ann@example.org", "bob@example.org"]),
    (&["name", "fullname"], &["Ann", "Bob", "Carol"]),
    (&["firstname", "forename"], &["Ann", "Bob"]),
    (&["lastname", "surname"], &["Smith", "Jones"]),
    (&["username", "login", "user"], &["ann", "bob"]),
    (
        &[
            "owner",
            "guest",
            "customer",
            "author",
            "reporter",
            "assignee",
            "sender",
            "recipient",
            "person",
        ],
        &["Ann", "Bob", "Carol"],
    ),
    (&["city", "town"], &["Paris", "Rome"]),
    (&["country", "countrycode"], &["FR", "IT"]),
    (&["currency"], &["EUR", "USD"]),
    (
        &["url", "uri", "link"],
        &["https://example.org", "https://example.com"],
    ),
    (&["host", "hostname"], &["example.org", "example.com"]),
    (&["phone", "telephone", "mobile"], &["555-0100", "555-0199"]),
    (&["street", "address"], &["Main Street 1", "High Street 2"]),
    (&["zip", "postcode", "zipcode"], &["12345", "54321"]),
    (&["title", "subject"], &["Title", "Other"]),
    (
        &[
            "text",
            "message",
            "comment",
            "body",
            "content",
            "description",
            "note",
            "reason",
        ],
        &["some text", "other text"],
    ),
    (&["path", "file", "filename"], &["a.txt", "b.txt"]),
    (&["folder", "dir", "directory"], &["folder", "other"]),
    (&["password", "secret", "passwd"], &["secret", "other"]),
    (&["id", "uuid", "identifier"], &["id1", "id2", "id3"]),
    (&["code", "sku", "isbn"], &["A1", "B2"]),
    (&["number", "nr"], &["101", "102", "103"]),
];

/// Shortest name that tells people what a parameter is.
const TELLING: usize = 3;
/// Number of texts made of a name.
const OF_NAME: usize = 3;

/// Returns texts for a parameter of some name, the first ones first: those that are usual for it, or the name
/// with numbers. None for names that tell nothing.
pub(super) fn texts_for(name: &str) -> Vec<Cow<'static, str>> {
    if let Some(usual) = usual_texts(name) {
        return usual.iter().map(|&text| Cow::Borrowed(text)).collect();
    }
    let is_word = name.len() >= TELLING && name.chars().all(|letter| letter.is_ascii_alphabetic());
    let numbers = 1..=OF_NAME;
    let numbers = numbers.filter(|_| is_word);
    numbers
        .map(|number| Cow::Owned(format!("{name}{number}")))
        .collect()
}

/// Whether there are texts that are usual for a name.
pub(super) fn is_usual_name(name: &str) -> bool {
    usual_texts(name).is_some()
}

/// Returns texts that are usual for a name.
fn usual_texts(name: &str) -> Option<&'static [&'static str]> {
    let of = |word: &str| {
        let mut all = USUAL.iter();
        let known = all.find(|(words, _)| words.contains(&word));
        known.map(|(_, texts)| *texts)
    };
    let whole = name.to_lowercase();
    let last = name
        .char_indices()
        .rfind(|(_, letter)| letter.is_uppercase())
        .map_or(0, |(at, _)| at);
    of(&whole).or_else(|| of(&name[last..].to_lowercase()))
}

/// Numbers for the parameters of makers of times.
type OfMaker = (&'static str, &'static str, &'static [&'static [u64]]);

const YEARS: &[u64] = &[2024, 2025, 2023];
const MONTHS: &[u64] = &[1, 2, 3, 6, 12];
/// The last days of months are days on which much is done.
const DAYS: &[u64] = &[1, 15, 10, 20, 28, 30, 31];
const HOURS: &[u64] = &[12, 9, 17, 8, 0, 23];
const MINUTES: &[u64] = &[0, 30, 15, 59];
/// Seconds since the epoch at noon of the first and last days of 2024 and of days in January, and less than
/// an hour apart.
const SECONDS: &[u64] = &[
    1_704_110_400,
    1_704_110_460,
    1_704_112_200,
    1_704_196_800,
    1_704_715_200,
    1_706_702_400,
    1_735_646_400,
];
const DURATION: &[u64] = &[1, 60, 3_600, 86_400];

/// By class and name of the maker.
const TIMES: [OfMaker; 9] = [
    ("java/time/LocalDate", "of", &[YEARS, MONTHS, DAYS]),
    (
        "java/time/LocalDateTime",
        "of",
        &[YEARS, MONTHS, DAYS, HOURS, MINUTES],
    ),
    ("java/time/LocalTime", "of", &[HOURS, MINUTES]),
    ("java/time/YearMonth", "of", &[YEARS, MONTHS]),
    ("java/time/Year", "of", &[YEARS]),
    ("java/time/Instant", "ofEpochSecond", &[SECONDS]),
    ("java/time/Duration", "ofSeconds", &[DURATION]),
    ("java/time/ZoneOffset", "ofHours", &[&[0, 1, 2]]),
    ("java/util/UUID", "<init>", &[&[0], &[1, 2, 3, 4, 5]]),
];

/// Numbers for other parameters, as they are usual.
const NUMBERS: [u64; 12] = [1, 2, 3, 5, 10, 4, 20, 100, 50, 7, 30, 12];

/// Returns numbers for a parameter of a call, by its class, name and place.
pub(super) fn usual_numbers(member: Option<(&str, &str, usize)>) -> &'static [u64] {
    let of = |(class, name, place): (&str, &str, usize)| {
        let mut times = TIMES.iter();
        let known = times.find(|(of, maker, _)| (*of, *maker) == (class, name));
        known.and_then(|(.., places)| places.get(place))
    };
    member.and_then(of).map_or(&NUMBERS, |numbers| *numbers)
}

/// Words for parameters of other names.
pub(super) const WORDS: [&str; 6] = ["abc", "one", "two", "A1", "some words", "x"];

#[cfg(test)]
mod tests {
    use super::texts_for;

    #[test]
    fn the_last_word_of_a_name_tells() {
        let first = |name: &str| {
            texts_for(name)
                .first()
                .map(|text| text.clone().into_owned())
        };
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(first("email"), is("ann@example.org"));
        assert_eq!(first("customerEmail"), is("ann@example.org"));
        assert_eq!(first("firstName"), is("Ann"));
        assert_eq!(first("displayName"), is("Ann"));
        assert_eq!(first("signature"), is("signature1"));
        assert_eq!(first("arg0"), None);
        assert_eq!(first("s"), None);
        assert_eq!(first(""), None);
    }
}
