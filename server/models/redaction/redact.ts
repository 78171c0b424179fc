import { KeyRedactor, REDACTED } from "./key-redactor.ts";

/** The shortest part of a key that is redacted: shorter ones also occur in plain text. */
const FRAGMENT = 8;

/** What looks like any key: OpenAI's form, masked or not, and whatever follows an authorization scheme. */
const KEY_LIKE =
  /\bsk-[^\s"'<>(){}[\],;]{4,}|\b([Bb]earer|[Bb]asic)\s+(?=[^\s"'<>]*\d|[^\s"'<>]{16})[^\s"'<>(){}[\],;]+/g;

/** A token of prose, JSON or HTML. */
const TOKEN = /[^\s"'`<>(){}[\],;=&?]+/g;

/** A shorter key, such as the `x` that satisfies a local server, is redacted only as a separate token. */
const SHORTEST_KEY = 4;

/**
 * The text of an error without `key`, in any form in which an endpoint may have repeated it: whole, encoded, truncated, or
 * masked as OpenAI does (`sk-…abcd`). Redacting a word too many is better than leaving part of a key.
 */
export function redact(text: string, key: string | undefined): string {
  const whole = KeyRedactor.for(key, SHORTEST_KEY)?.whole(text) ?? text;
  const general = whole.replace(KEY_LIKE, (_, scheme?: string) => (scheme ? `${scheme} ${REDACTED}` : REDACTED));
  return key === undefined ? general : general.replace(TOKEN, (token) => (isPartOfKey(token, key) ? REDACTED : token));
}

function isPartOfKey(token: string, key: string): boolean {
  if (token === key) return true;
  const bare = token.replace(/(?<![.:!])[.:!]+$/, "");
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

/** Whether a token is a masked key: asterisks, dots or an ellipsis after the key's start or before its end. */
function isMasked(token: string, key: string): boolean {
  const mask = /\*{2,}|\.{2,}|…|•+|x{6,}/i.exec(token);
  if (mask === null) return false;
  const before = token.slice(0, mask.index).slice(-4);
  const after = token.slice(mask.index + mask[0].length).replace(/(?<![.:!*•…])[.:!*•…]+$/, "");
  const hasStart = before.length >= 2 && key.includes(before);
  const hasEnd = after.length >= 2 && key.endsWith(after);
  return hasStart || hasEnd;
}

function percentDecoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
