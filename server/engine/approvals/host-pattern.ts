import { globMatcher } from "../glob.ts";

/** The hosts in a call's input. */
export interface NamedHosts {
  /** The hosts of its URLs, as `host` or `host:port`; undefined for an ambiguous URL. */
  readonly urls: readonly (string | undefined)[];
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

const URLS = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]*/giu;
/** A URL that every program parses the same way: no user before the host, no backslash, ASCII only. */
const PLAIN_URL = /^[a-z][a-z0-9+.-]*:\/\/(?<host>[a-z0-9._-]+|\[[0-9a-f:]+\])(?<port>:[0-9]+)?(?:[/?#]|$)/i;

/** Finds the hosts in the texts of an input. */
export function hostsIn(texts: readonly string[]): NamedHosts {
  const urls = texts.flatMap((text) => [...text.matchAll(URLS)].map(([url]) => hostOf(url)));
  const words = texts
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}.:_[\]-]+/u))
    .filter((word) => word !== "");
  return { urls, words: words.flatMap((word) => [word, word.replace(/\.?(?::[0-9]*)?$/, "")]) };
}

function hostOf(url: string): string | undefined {
  const { host, port = "" } = PLAIN_URL.exec(url)?.groups ?? {};
  if (host === undefined || /[\\@]/.test(url)) return undefined;
  return host.toLowerCase().replace(/\.$/, "") + port;
}
