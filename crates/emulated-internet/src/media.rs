//! Files that hosts send: the smallest ones that programs accept.

use data_encoding::BASE64;

/// The sentence that every text of this internet consists of.
pub(crate) const SENTENCE: &str = "An emulated answer.";

/// An image of one pixel in a format of its own for each extension and media type.
pub(crate) const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0d, b'I', b'D', b'A', b'T',
    0x78, 0xda, 0x63, 0xfc, 0xcf, 0xc0, 0x50, 0x0f, 0, 0x04, 0x85, 0x01, 0x80, 0x84, 0xa9, 0x8c,
    0x21, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// The beginning of a film in MP4.
pub(crate) const MP4: &[u8] = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08mdat";

/// A recording in WAV: a header and no samples.
pub(crate) const WAV: &[u8] =
    b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0";

/// A document without pages.
pub(crate) const PDF: &[u8] =
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

/// Returns the image in base64.
pub(crate) fn png_in_base64() -> String {
    BASE64.encode(PNG)
}

/// Returns a page of a host.
pub(crate) fn page(host: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{host}</title>\
         <meta name=\"description\" content=\"{SENTENCE}\"></head><body><main><article><h1>{host}</h1>\
         <p>{SENTENCE}</p><p>Every page of this host says the same. \
         <a href=\"https://{host}/next\">Next</a> \
         <img src=\"https://{host}/picture.png\" alt=\"a picture\"></p></article></main></body></html>\n"
    )
}

/// Returns a feed in Atom (RFC 4287), with the number of results as search services give it.
pub(crate) fn feed(host: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" \
         xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\"><id>https://{host}/feed</id>\
         <title>{host}</title><updated>2025-01-01T00:00:00Z</updated>\
         <opensearch:totalResults>1</opensearch:totalResults><entry><id>https://{host}/abs/2501.00001v1</id>\
         <updated>2025-01-01T00:00:00Z</updated><published>2025-01-01T00:00:00Z</published>\
         <title>An emulated entry</title><summary>{SENTENCE}</summary><author><name>An Author</name></author>\
         <link href=\"https://{host}/abs/2501.00001v1\"/></entry></feed>\n"
    )
}
