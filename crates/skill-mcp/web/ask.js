// Requests to this server, which answers in the language of the page.

/** The JSON of an answer. An error has the server's reason, also where it is a plain text. */
export async function ask(path, init = {}) {
  const headers = { accept: "application/json", "accept-language": document.documentElement.lang, ...init.headers };
  const response = await fetch(path, { ...init, headers });
  const text = await response.text();
  let answer = {};
  try { answer = JSON.parse(text); } catch { answer = { error: text.trim() }; }
  if (!response.ok) throw new Error(answer.error || `${response.status} ${response.statusText}`);
  return answer;
}
