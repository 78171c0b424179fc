import { globMatcher } from "../glob.ts";

/** The hosts in a call. */
export interface NamedHosts {
  /** The hosts of everything that looks like a URL, as `host` or `host:port`; undefined for an ambiguous one. */
  readonly urls: readonly (string | undefined)[];
  /** The hosts of fields for addresses alone; undefined for anything but a plain URL. */
  readonly addresses: readonly (string | undefined)[];
  /** Every word that could be a host name, for deny rules. */
  readonly words: readonly string[];
}

/** A parsed `host` of a rule. */
export interface HostPattern {
  matches(host: string): boolean;
}

/** @throws Error for anything but a host name, which may contain stars and a port. */
export function parseHostPattern(text: string): HostPattern {
  if (!/^(?:[\p{L}\p{N}*_-]+(?:\.[\p{L}\p{N}*_-]+)*|\[[0-9a-f:]+\])(?::[0-9]+)?$/iu.test(text)) {
    throw new Error(`the host pattern ${text} is not a host name; write one such as *.example.com`);
  }
  const withPort = /:[0-9]+$/.test(text);
  const matches = globMatcher(text.toLowerCase().replaceAll(/[[\]]/g, "\\$&"));
  return { matches: (host) => matches(withPort ? host : host.replace(/:[0-9]+$/, "")) };
}

/** Of a longer scheme, the end is found. Without a limit, a long word would be searched again from each of its letters. */
const URLS = /[a-z][a-z0-9+.-]{0,40}:\/\/[^\s"'<>`]*/giu;
/**
 * URLs without their `//`, or without a scheme: `https:host`, `file:/x`, `//host`, `\\\\host`. Programs differ in what they
 * make of these.
 */
const UNUSUAL_URLS = /\b(?:https?|wss?|ftps?|file):(?!\/\/)\S+|(?<![^\s"'`(<=,;])[\\/]{2,}[^\s\\/]\S*/giu;
/** A URL that every program parses the same way: no user before the host, no backslash, ASCII only. */
const PLAIN_URL = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/(?<host>[a-z0-9._-]+|\[[0-9a-f:]+\])(?<port>:[0-9]+)?(?:[/?#]|$)/i;

/** Finds the hosts in the texts of a call, of which `addresses` are in fields for addresses. */
export function hostsIn(texts: readonly string[], addresses: readonly string[] = []): NamedHosts {
  const urls = texts.flatMap(urlsIn);
  const words = texts
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}.:_[\]-]+/u))
    .filter((word) => word !== "");
  const named = addresses.map(hostOf);
  return {
    urls: [...urls, ...named.filter((host) => host === undefined)],
    addresses: named,
    words: [...new Set(words.flatMap((word) => [word, word.replace(/\.?(?::[0-9]*)?$/, "")]))],
  };
}

function urlsIn(text: string): readonly (string | undefined)[] {
  const plain = [...text.matchAll(URLS)].map(([url]) => hostOf(url));
  const unusual = [...text.matchAll(UNUSUAL_URLS)].map(() => undefined);
  return [...plain, ...unusual, ...(isSplitUrl(text) ? [undefined] : [])];
}

/** Browsers leave out tabs and line breaks within a URL. */
function isSplitUrl(text: string): boolean {
  const [start = ""] = /^[^ ]*/.exec(text.trimStart()) ?? [];
  return /[\t\r\n]/.test(start) && /^(?:https?|wss?|ftps?|file):|^[\\/]{2}/i.test(start.replace(/[\t\r\n]/g, ""));
}

function hostOf(url: string): string | undefined {
  const { host, port = "" } = PLAIN_URL.exec(url)?.groups ?? {};
  if (host === undefined || /[\\@]/.test(url)) return undefined;
  return host.toLowerCase().replace(/\.$/, "") + port;
}
