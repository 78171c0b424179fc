import type { ParseArgsOptionsConfig } from "node:util";
import { UsageError } from "./usage-error.ts";

/** Where a host of another computer is. */
export interface RemoteAddress {
  readonly host: string;
  readonly port: number;
  /** The path of its certificate, or of that of its authority; undefined for one that the system trusts. */
  readonly certificate: string | undefined;
}

/** The options of commands about threads of another computer. */
export const remoteOptions = {
  host: { type: "string" },
  certificate: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

/** The host that the options name; undefined for the one of this computer. @throws UsageError */
export function remoteOf({
  host: address,
  certificate,
}: {
  readonly host?: string | undefined;
  readonly certificate?: string | undefined;
}): RemoteAddress | undefined {
  if (address !== undefined) return { ...addressIn(address, "--host"), certificate };
  if (certificate !== undefined) throw new UsageError("--certificate is for the host of --host.");
  return undefined;
}

/** The parts of HOST:PORT; an IPv6 address is in brackets. @throws UsageError */
export function addressIn(text: string, option: string): { readonly host: string; readonly port: number } {
  const [, host = "", digits = ""] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (host === "" || port > 65_535)
    throw new UsageError(`${option} ${text} is no address; give HOST:PORT, such as 192.0.2.7:7420.`);
  return { host: host.replace(/^\[|\]$/g, ""), port };
}
