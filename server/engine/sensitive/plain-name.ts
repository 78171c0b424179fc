/** Characters that HFS+ ignores in names. */
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * A file's name in the form in which file systems compare names: without case and compatibility forms (APFS, NTFS), without
 * the characters that HFS+ ignores, and without the stream, dots and spaces at its end that Windows splits off. Two names
 * with the same plain name may be the same file.
 */
export function plainName(name: string): string {
  const plain = name.normalize("NFKC").replace(IGNORED_CHARACTERS, "").toLowerCase();
  if (/^(?:[a-z]:|\.{1,2})$/.test(plain)) return plain;
  return plain.replace(/(?<=.):.*$/s, "").replace(/(?<=[^. ])[. ]+$/, "");
}
