/** What is known of this machine and user, and has no place in a report. */
export interface Known {
  /** The home folder, and the folders of the workspace. */
  readonly home: string;
  readonly folders: readonly string[];
  /** The user's name on this machine. */
  readonly user: string;
  /** Names of the product's own that look like host names. */
  readonly own: readonly string[];
}

/** Shorter texts would be found in words of every sentence. */
const SHORTEST = 3;

/** What may be a key: a long word in which letters and digits are mixed, or one that starts as keys do. */
const KEY =
  /\b(?:(?:sk|pk|ghp|gho|ghs|xox[abp]|eyJ)[-_A-Za-z0-9.]{6,}|(?=[\w/+-]*\d)(?=[\w/+-]*[A-Za-z])[\w/+-]{20,})(?!\w)/g;

/** Addresses: with a scheme, of mail, by number, or names with dots and perhaps a port. */
const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)]+|[\w.+-]+@[\w.-]+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]{3,}\](?::\d+)?|\blocalhost:\d+\b|\b(?:[\w-]+\.)+[A-Za-z][\w-]*(?::\d+)?\b/gi;

/** What a line quotes: names, paths, texts of endpoints and of messages. The end of the quotation may be cut off. */
const QUOTED = /"[^"\n]*(?:"|$)|`[^`\n]*(?:`|$)|“[^”\n]*(?:”|$)|(?<!\w)'(?:[^'\n]|'(?=\w))*(?:'|$)/g;

/** Absolute paths, on all systems. A word after one that has a separator may belong to it: names may have spaces. */
const PATH = /(?:\b[A-Za-z]:[\\/]|(?<![\w\\])\\\\|(?<![\w.)~])\/)[^\s"'`<>)]*(?: [^\s"'`<>)]*[\\/][^\s"'`<>)]*)*/g;

/**
 * A line of a log without what may be private: keys, paths, addresses, host names, and everything that is quoted. It keeps
 * too little rather than too much.
 */
export function redactedText(text: string, { home, folders, user, own }: Known): string {
  let result = text.replace(QUOTED, "(text)");
  // Their names may have spaces, where the pattern of paths ends.
  for (const folder of [...folders, home].toSorted((a, b) => b.length - a.length)) {
    if (folder.length >= SHORTEST) result = result.replace(pathPattern(folder), "/");
  }
  result = result.replace(ADDRESS, (found) => (isVersion(found) || own.includes(found) ? found : "(address)"));
  result = result.replace(PATH, "(path)").replace(KEY, "(key)");
  return user.length >= SHORTEST ? result.replace(anyCase(user), "(user)") : result;
}

/** A path with separators of both kinds: systems, VS Code and Node write a path of Windows in different ways. */
const pathPattern = (path: string): RegExp => anyCase(path, (part) => part.replace(/(?:\\\\|\/)+/g, "[\\\\/]+"));

function anyCase(text: string, change = (pattern: string): string => pattern): RegExp {
  return new RegExp(change(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")), "gi");
}

/** `v24.1.0`, which says which Node it is. */
const isVersion = (text: string): boolean => /^v?\d+\.\d+\.\d+(?:-[a-z]+)?$/i.test(text);
