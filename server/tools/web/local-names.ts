import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { parseHostPattern } from "../../engine/approvals/host-pattern.ts";
import { isPublicAddress } from "./public-address.ts";

/** Names of local networks: without a dot, or with an ending that is common for that (RFC 6762, appendix G). */
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/** A host has an address of this machine or of a private network, which webFetch does not reach. */
export class LocalAddressError extends Error {
  constructor(host: string) {
    super(
      `webFetch does not read from ${host}, as it is on this computer or in a private network; the user can allow it by ` +
        `adding ${host} to the setting gavel.webFetch.localHosts.`,
    );
  }
}

/** The host of an address with its port, also where that is the default, such as `example.com:443`. */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;

/** Whether the user allows that host, given with its port, although it is local. What is no pattern allows none. */
function isLocalAllowed(host: string, allowed: readonly string[]): boolean {
  return allowed.some((text) => {
    try {
      return parseHostPattern(text.toLowerCase()).matches(host);
    } catch {
      return false;
    }
  });
}

/**
 * Refuses an address that says itself that it is local. What a name leads to is only known when it is looked up.
 * @throws LocalAddressError
 */
export function assertNotLocal(url: URL, allowed: readonly string[]): void {
  const host = hostAndPort(url);
  if (isLocalAllowed(host, allowed)) return;
  const name = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(name) === 0 ? LOCAL_NAME.test(name) : !isPublicAddress(name)) throw new LocalAddressError(host);
}

/**
 * Looks up a name when a connection is made, and gives it none but public addresses: a name may lead elsewhere by then than
 * when it was checked.
 */
export function publicLookup(url: URL, allowed: readonly string[], resolve: LookupFunction = lookup): LookupFunction {
  const host = hostAndPort(url);
  if (isLocalAllowed(host, allowed)) return resolve;
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, "");
      const all = typeof found === "string" ? [] : found;
      const [first, ...others] = all.filter(({ address }) => isPublicAddress(address));
      if (first === undefined) return done(new LocalAddressError(host), "");
      return options.all === true ? done(null, [first, ...others]) : done(null, first.address, first.family);
    });
  };
}
