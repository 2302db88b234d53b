//! The media type of a part, which a document may leave to the client: `image/png, image/jpeg`, `image/*`.

/// The type of bytes that nothing is known about.
const BYTES: &str = "application/octet-stream";
/// Media types by the ending of a file (<https://www.iana.org/assignments/media-types>).
const ENDINGS: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("csv", "text/csv"),
    ("flac", "audio/flac"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("m4a", "audio/mp4"),
    ("md", "text/markdown"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("ogg", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("txt", "text/plain"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

/// Returns the type of a file: that of its ending if the list has it, else the first of the list.
pub(crate) fn of_file<'d>(path: &str, declared: Option<&'d str>) -> &'d str {
    let Some(declared) = declared else {
        return BYTES;
    };
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut known = ENDINGS.iter();
    let known = known.find(|(known, _)| known.eq_ignore_ascii_case(ending));
    let own = known.map(|(_, media_type)| *media_type);
    let has = |media_type: &str| all(declared).any(|one| matches(one, media_type));
    let own = own.filter(|media_type| has(media_type));
    own.or_else(|| first(declared)).unwrap_or(BYTES)
}

/// Returns the first type of a list that is not a pattern.
pub(crate) fn first(declared: &str) -> Option<&str> {
    all(declared).find(|one| !one.contains('*'))
}

fn all(declared: &str) -> impl Iterator<Item = &str> {
    declared
        .split(',')
        .map(str::trim)
        .filter(|one| !one.is_empty())
}

fn matches(one: &str, media_type: &str) -> bool {
    match one.strip_suffix('*') {
        Some(start) => one == "*/*" || media_type.starts_with(start),
        None => one.eq_ignore_ascii_case(media_type),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, declared: Option<&str>, expected: &str) {
        assert_eq!(of_file(path, declared), expected, "{path} {declared:?}");
    }

    #[test]
    fn a_list_leaves_the_choice_to_the_file() {
        let images = Some("image/png, image/jpeg");
        check("d/x.JPG", images, "image/jpeg");
        check("x.png", images, "image/png");
        check("x.webp", images, "image/png");
        check("x", Some("image/*"), BYTES);
        check("x.webp", Some("image/*"), "image/webp");
        check("x.pdf", Some("image/*, application/pdf"), "application/pdf");
        check(
            "x.bin",
            Some("text/csv; charset=utf-8"),
            "text/csv; charset=utf-8",
        );
        check("x.png", None, BYTES);
        assert_eq!(first("image/*, text/plain"), Some("text/plain"));
    }
}
