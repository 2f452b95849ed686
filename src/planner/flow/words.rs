//! Words that can be compared: lower case, no filler, singular, one concept for what means the same on most sites.
//! English only; a word that is not in the tables stands for itself.

/// Words that say nothing about what is meant.
const FILLER: [&str; 36] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "i", "in", "into", "is", "it", "its", "me", "my",
    "of", "on", "onto", "or", "our", "please", "that", "the", "there", "these", "this", "those", "to", "what", "which",
    "with", "you", "your",
];
/// Words that never stand between two that belong together.
const ARTICLES: [&str; 6] = ["a", "an", "the", "my", "your", "new"];
/// Two words that are one concept.
const PAIRS: [(&str, &str, &str); 12] = [
    ("create", "account", "signup"),
    ("open", "account", "signup"),
    ("make", "account", "signup"),
    ("register", "account", "signup"),
    ("sign", "up", "signup"),
    ("sign", "in", "login"),
    ("log", "in", "login"),
    ("sign", "out", "logout"),
    ("log", "out", "logout"),
    ("sign", "off", "logout"),
    ("check", "out", "checkout"),
    ("e", "mail", "email"),
];
/// Words of one meaning, the first being the concept. Those of the first group list are verbs.
const VERBS: [&[&str]; 18] = [
    &["signup", "register", "join", "enroll", "enrol"],
    &["login", "signin"],
    &["logout", "signout"],
    &["add", "put", "place"],
    &["search", "find", "look", "seek"],
    &["delete", "remove", "erase"],
    &["send", "submit"],
    &["buy", "purchase", "order"],
    &["checkout", "pay"],
    &["save"],
    &["change", "edit", "update"],
    &["go", "open", "show", "visit"],
    &["subscribe"],
    &["book", "reserve"],
    &["cancel"],
    &["choose", "select", "pick"],
    &["create", "make"],
    &["fill", "enter", "type"],
];
const NOUNS: [&[&str]; 3] =
    [&["cart", "basket", "bag", "trolley"], &["password", "passphrase"], &["phone", "telephone"]];

/// The comparable words of a text, in order.
pub fn words(text: &str) -> Vec<String> {
    let tokens: Vec<String> = tokens(text).into_iter().filter(|word| !ARTICLES.contains(&word.as_str())).collect();
    let mut found = vec![];
    let mut at = 0;
    while at < tokens.len() {
        let next = tokens.get(at + 1).map(String::as_str).unwrap_or_default();
        if let Some((.., concept)) = PAIRS.iter().find(|(one, two, _)| *one == tokens[at] && *two == next) {
            found.push((*concept).to_owned());
            at += 2;
            continue;
        }
        if !FILLER.contains(&tokens[at].as_str()) {
            found.push(concept(&tokens[at]));
        }
        at += 1;
    }
    found
}

/// Lower-case words as they stand; `camelCase` is two.
pub fn tokens(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.extend(letter.to_lowercase());
        before = letter;
    }
    let parts = spaced.split(|letter: char| !letter.is_alphanumeric());
    parts.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a word, as it stands, can begin a request.
pub fn is_verb(word: &str) -> bool {
    let concept = concept(word);
    VERBS.iter().any(|group| group[0] == concept) || PAIRS.iter().any(|(one, ..)| *one == word && word != "e")
}

/// Whether every one of `wanted` is among `words`; an empty wish is never met.
pub fn covers(words: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && wanted.iter().all(|word| words.contains(word))
}

fn concept(word: &str) -> String {
    let single = singular(word);
    let group = VERBS.iter().chain(&NOUNS).find(|group| group.contains(&word) || group.contains(&single.as_str()));
    group.map_or(single, |group| group[0].to_owned())
}

/// `kettles` and `kettle`, `boxes` and `box` are the same wish; short words and `glass` stay.
fn singular(word: &str) -> String {
    let plain = word.strip_suffix('s').filter(|rest| rest.len() >= 3 && !rest.ends_with(['s', 'u', 'i']));
    match plain {
        Some(rest) => match rest.strip_suffix('e') {
            Some(stem) if stem.ends_with('x') || stem.ends_with("sh") || stem.ends_with("ch") => stem.to_owned(),
            _ => rest.to_owned(),
        },
        None => word.to_owned(),
    }
}
