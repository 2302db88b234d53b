//! Multipart bodies (RFC 7578).

/// A part with its content.
pub(crate) struct Section<'a> {
    pub(crate) name: &'a str,
    pub(crate) file_name: Option<&'a str>,
    pub(crate) media_type: Option<&'a str>,
    pub(crate) content: Vec<u8>,
}

/// Returns a boundary that no content has: the same for the same contents.
pub(crate) fn boundary(sections: &[Section<'_>]) -> String {
    let is_free = |boundary: &str| {
        let needle = boundary.as_bytes();
        let mut contents = sections.iter().map(|section| &section.content);
        !contents.any(|content| content.windows(needle.len()).any(|part| part == needle))
    };
    let candidates = (0_u32..).map(|number| format!("skills-boundary-{number}"));
    let mut free = candidates.filter(|boundary| is_free(boundary));
    free.next().expect("contents have finitely many boundaries")
}

/// Returns the bytes of all parts.
pub(crate) fn bytes(sections: &[Section<'_>], boundary: &str) -> Vec<u8> {
    let mut res = Vec::new();
    for section in sections {
        let mut head = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"{}\"",
            quoted(section.name)
        );
        if let Some(file_name) = section.file_name {
            head.push_str("; filename=\"");
            head.push_str(&quoted(file_name));
            head.push('"');
        }
        if let Some(media_type) = section.media_type {
            head.push_str("\r\ncontent-type: ");
            head.push_str(media_type);
        }
        res.extend(head.bytes());
        res.extend(b"\r\n\r\n");
        res.extend(&section.content);
        res.extend(b"\r\n");
    }
    res.extend(format!("--{boundary}--\r\n").bytes());
    res
}

/// Escapes a name as browsers do (WHATWG HTML, "Multipart form data").
fn quoted(name: &str) -> String {
    let name = name.replace('"', "%22");
    name.replace('\r', "%0D").replace('\n', "%0A")
}
