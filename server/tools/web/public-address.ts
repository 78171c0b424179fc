import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 addresses that are not on the public internet (IANA, IPv4 Special-Purpose Address Registry). */
const SPECIAL_V4 = blockList("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
]);

/** All that is assigned of public IPv6, and what in it is special or leads to an IPv4 address (RFC 4380, RFC 3056). */
const GLOBAL_V6 = blockList("ipv6", ["2000::/3"]);
const SPECIAL_V6 = blockList("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]);

/** Networks without IPv4 reach it through these addresses, which end with the IPv4 address (RFC 6052). */
const NAT64 = /^64:ff9b::(?<high>[0-9a-f]{1,4}):(?<low>[0-9a-f]{1,4})$/;

/** Whether an IP address is one of the public internet. Anything else, also what is no address, is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_V4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  const embedded = embeddedV4(address);
  if (embedded !== undefined) return isPublicAddress(embedded);
  return GLOBAL_V6.check(address, "ipv6") && !SPECIAL_V6.check(address, "ipv6");
}

function embeddedV4(address: string): string | undefined {
  // A URL writes every form of an IPv6 address in one way.
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? "";
  const { high = "", low = "" } = NAT64.exec(canonical)?.groups ?? {};
  if (high === "" || low === "") return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

function blockList(family: "ipv4" | "ipv6", networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
