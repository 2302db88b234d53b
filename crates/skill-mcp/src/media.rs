//! Media types by file extension.

/// Extensions and their types (<https://www.iana.org/assignments/media-types/>).
const TYPES: [(&str, &str); 28] = [
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("txt", "text/plain"),
    ("json", "application/json"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("toml", "application/toml"),
    ("xml", "application/xml"),
    ("html", "text/html"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("js", "text/javascript"),
    ("mjs", "text/javascript"),
    ("py", "text/x-python"),
    ("sh", "text/x-shellscript"),
    ("ts", "text/x-typescript"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("ogg", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("svg", "image/svg+xml"),
    ("wav", "audio/wav"),
    ("webp", "image/webp"),
    ("zip", "application/zip"),
];

/// Returns the media type of a file.
pub(crate) fn media_type(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = TYPES
        .iter()
        .find(|(known, _)| ending.eq_ignore_ascii_case(known));
    known.map_or("application/octet-stream", |(_, media)| media)
}

/// Returns true if a file of this type is returned as text.
pub(crate) fn is_text(path: &str) -> bool {
    let media = media_type(path);
    let kinds = ["image/", "audio/", "video/"];
    let is_medium = kinds.iter().any(|kind| media.starts_with(kind));
    !is_medium && !["application/pdf", "application/zip"].contains(&media)
}
