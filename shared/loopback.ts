/**
 * Whether a host is this machine in every environment: an address in 127.0.0.0/8, ::1, or `localhost` itself (RFC 6761).
 *
 * @param hostname as `URL` gives it, which writes every form of an IPv4 address as four decimal numbers.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
