// The texts of the page in the language of the reader. The server puts the translations of all texts
// in `say("…")` into the page (`src/http/pages.rs`).

const texts = JSON.parse(document.getElementById("texts").textContent);

/** A text of the page. `{}` are the values in their order; a translation numbers them. */
export function say(text, ...values) {
  let at = 0;
  const slots = texts[text] ?? text.replaceAll("{}", () => `{${(at += 1)}}`);
  return slots.replace(/\{(\d+)[#!]?\}/g, (_, n) => String(values[n - 1]));
}

/** Words of the server that the page shows alone. */
const WORDS = {
  error: say("error"), warning: say("warning"), note: say("note"),
  metadata: say("metadata"), brief: say("brief"), full: say("full"),
};
export const word = (text) => WORDS[text] ?? text;
