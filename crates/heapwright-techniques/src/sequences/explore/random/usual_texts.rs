//! Texts that people write for parameters of usual names.

/// Texts for the last word of a name, several where a test has several such parameters.
const USUAL: [(&[&str], &[&str]); 24] = [
    (&["email", "mail"], &["ann@example.org", "bob@example.org"]),
    (&["name", "fullname"], &["Ann", "Bob", "Carol"]),
    (&["firstname", "forename"], &["Ann", "Bob"]),
    (&["lastname", "surname"], &["Smith", "Jones"]),
    (&["username", "login", "user", "owner"], &["ann", "bob"]),
    (&["city", "town"], &["Paris", "Rome"]),
    (&["country"], &["France", "Italy"]),
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
    (&["token", "hash"], &["token1", "token2"]),
    (&["id", "uuid", "identifier"], &["id1", "id2"]),
    (&["code", "sku", "isbn"], &["A1", "B2"]),
    (&["key"], &["key", "key2"]),
    (&["value"], &["value", "value2"]),
    (&["account", "iban", "number"], &["account1", "account2"]),
];

/// Returns texts for a parameter of some name, the first ones first; `None` for unusual names.
pub(super) fn usual_texts(name: &str) -> Option<&'static [&'static str]> {
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

#[cfg(test)]
mod tests {
    use super::usual_texts;

    #[test]
    fn the_last_word_of_a_name_tells() {
        let first = |name: &str| usual_texts(name).map(|texts| texts[0]);
        assert_eq!(first("email"), Some("ann@example.org"));
        assert_eq!(first("customerEmail"), Some("ann@example.org"));
        assert_eq!(first("firstName"), Some("Ann"));
        assert_eq!(first("displayName"), Some("Ann"));
        assert_eq!(first("s"), None);
        assert_eq!(first(""), None);
    }
}
