const REDACTED = "[key]";

/** The shortest piece of a key that is taken for one: shorter runs also stand in plain words. */
const FRAGMENT = 8;

/** What looks like a key wherever it is from: OpenAI's own form, masked or not, and what follows an authorization scheme. */
const KEY_LIKE =
  /\bsk-[^\s"'<>(){}[\],;]{4,}|\b([Bb]earer|[Bb]asic)\s+(?=[^\s"'<>]*\d|[^\s"'<>]{16})[^\s"'<>(){}[\],;]+/g;

/** What a token ends at in prose, JSON and HTML. */
const TOKEN = /[^\s"'`<>(){}[\],;=&?]+/g;

/**
 * `text` without `key`, in whatever form an endpoint may have repeated it: whole, in a URL, in JSON, in base64, cut short,
 * or masked as OpenAI does (`sk-…abcd`). Rather a word too many is taken out than a key left in.
 */
export function redact(text: string, key: string | undefined): string {
  const whole = key === undefined ? text : formsOf(key).reduce(withoutForm, text);
  const general = whole.replace(KEY_LIKE, (_, scheme?: string) => (scheme ? `${scheme} ${REDACTED}` : REDACTED));
  return key === undefined ? general : general.replace(TOKEN, (token) => (isOfKey(token, key) ? REDACTED : token));
}

function formsOf(key: string): string[] {
  const encoded = encodeURIComponent(key);
  const json = JSON.stringify(key).slice(1, -1);
  const base64 = Buffer.from(key).toString("base64").replace(/=+$/, "");
  return [...new Set([key, json, JSON.stringify(json).slice(1, -1), encoded, encoded.toLowerCase(), base64])];
}

/** A short key, such as the `x` that a local server is content with, is only taken out where it stands alone. */
function withoutForm(text: string, form: string): string {
  if (form.length >= 4) return text.replaceAll(form, REDACTED);
  return text.replace(TOKEN, (token) => (token === form ? REDACTED : token));
}

function isOfKey(token: string, key: string): boolean {
  const bare = token.replace(/[.:!]+$/, "");
  const isEdge = bare.length >= 4 && (key.startsWith(bare) || key.endsWith(bare));
  return isEdge || sharesFragment(token, key) || sharesFragment(percentDecoded(token), key) || isMasked(token, key);
}

function sharesFragment(token: string, key: string): boolean {
  const [haystack, needle] = [key.toLowerCase(), token.toLowerCase()];
  for (let at = 0; at + FRAGMENT <= needle.length; at += 1) {
    if (haystack.includes(needle.slice(at, at + FRAGMENT))) return true;
  }
  return false;
}

/** A token with a run of stars, dots or an ellipsis that has the key's beginning before it or its end after it. */
function isMasked(token: string, key: string): boolean {
  const mask = /\*{2,}|\.{2,}|…|•+|x{6,}/i.exec(token);
  if (mask === null) return false;
  const before = token.slice(0, mask.index).slice(-4);
  const after = token.slice(mask.index + mask[0].length).replace(/[.:!*•…]+$/, "");
  const begins = before.length >= 2 && key.includes(before);
  const ends = after.length >= 2 && key.endsWith(after);
  return begins || ends;
}

function percentDecoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
