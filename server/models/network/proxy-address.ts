import { isIPv6 } from "node:net";
import { isLoopback } from "../../../shared/loopback.ts";
import { NetworkError } from "./network-error.ts";
import type { NetworkSettings } from "./network-settings.ts";

/**
 * The proxy for requests to `url`, from the settings or the environment; undefined where there is none, where the host is
 * excepted, and for this machine.
 *
 * @throws NetworkError when the address is not that of an HTTP proxy.
 */
export function proxyFor(url: URL, { proxy, useProxy, noProxy }: NetworkSettings): URL | undefined {
  if (!useProxy || isLoopback(url.hostname)) return undefined;
  const given = proxy || (url.protocol === "https:" && environment("HTTPS_PROXY")) || environment("HTTP_PROXY");
  if (given === "" || isExcepted(url, noProxy.length > 0 ? noProxy : environment("NO_PROXY").split(/[\s,]+/)))
    return undefined;
  // An address without a scheme, as environments have it, is one of http.
  const address = URL.parse(given.includes("://") ? given : `http://${given}`);
  if (address === null || !/^https?:$/.test(address.protocol)) throw new NetworkError({ kind: "proxyInvalid" });
  return address;
}

/** The variable of the environment in either case; the lower one counts first, as for other programs. */
const environment = (name: string): string => process.env[name.toLowerCase()] || process.env[name] || "";

/** Whether an exception names the host: by its name or by a domain around it, for a port or for all; `*` is every host. */
function isExcepted({ hostname, port, protocol }: URL, exceptions: readonly string[]): boolean {
  const portOfUrl = port || (protocol === "https:" ? "443" : "80");
  return exceptions.some((exception) => {
    if (exception.trim() === "*") return true;
    const [, given = "", only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(inBrackets(exception.trim().toLowerCase())) ?? [];
    // A URL has the shortest form of an IPv6 address.
    const name = given.startsWith("[") ? (URL.parse(`http://${given}`)?.hostname ?? given) : given;
    if (name === "" || (only !== undefined && only !== portOfUrl)) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/** An IPv6 address as a URL has it: without brackets, its end would look like a port. */
const inBrackets = (name: string): string => (isIPv6(name) ? `[${name}]` : name);
