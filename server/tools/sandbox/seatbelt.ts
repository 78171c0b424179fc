import type { SandboxLayout } from "./sandbox-layout.ts";

/**
 * The profile of one command for sandbox-exec (macOS). The last rule that fits decides. Processes outside are not signaled
 * or inspected, and the network is this machine's loopback, where the proxy listens.
 */
export function seatbeltProfile({ writable, readOnly, hidden, replaced }: SandboxLayout, temp: string): string {
  const paths = (list: readonly string[]) => list.map((path) => `(subpath ${quoted(path)})`).join(" ");
  const rule = (action: string, list: readonly string[]) => (list.length === 0 ? [] : [`(${action} ${paths(list)})`]);
  return [
    "(version 1)",
    "(allow default)",
    "(deny network*)",
    '(allow network-bind network-inbound (local ip "localhost:*"))',
    '(allow network-outbound (remote ip "localhost:*"))',
    "(deny signal) (allow signal (target same-sandbox))",
    "(deny process-info*) (allow process-info* (target same-sandbox))",
    "(deny file-write*)",
    ...rule("allow file-write*", ["/dev", ...writable]),
    ...rule("deny file-write*", readOnly),
    ...rule("deny file-read* file-write*", [...hidden, ...replaced.map(({ path }) => path)]),
    ...rule("allow file-read* file-write*", [temp]),
    ...rule(
      "allow file-read*",
      replaced.map(({ content }) => content),
    ),
  ].join("\n");
}

const quoted = (path: string): string => `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;
