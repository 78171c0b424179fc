import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { HostJoin } from "../shared/contract/joining.ts";
import { PROTOCOL_VERSION } from "../shared/contract/version.ts";
import { askOver, HostRefusedError } from "./ask-host.ts";
import type { JoinedHost } from "./join-host.ts";

/** A host of another computer, and what shows who joins. */
export interface RemoteHost {
  readonly host: string;
  readonly port: number;
  /** The user's own. */
  readonly token: string;
  /** The certificate, or that of its authority, as PEM; left out for one that the system trusts. */
  readonly certificate?: string | undefined;
}

/** How long the other computer may take to answer, in milliseconds. */
const MAX_CONNECT_MS = 15_000;

/**
 * Joins a host of another computer, over TLS.
 * @throws HostRefusedError with a sentence when it cannot be reached or trusted, and for a token that it does not know.
 */
export async function joinRemoteHost({ host, port, token, certificate }: RemoteHost): Promise<JoinedHost> {
  const where = `The agent host on ${host}, port ${port}`;
  const stream = connect({
    host,
    port,
    minVersion: "TLSv1.3",
    ...(certificate === undefined ? {} : { ca: certificate }),
  });
  await connected(stream, where);
  const answer = await askOver(stream, HostJoin, { token, protocolVersion: PROTOCOL_VERSION });
  if (answer !== undefined) return { ...answer, stream };
  throw new HostRefusedError(`${where} does not know your token; ask its user for another one.`);
}

/** @throws HostRefusedError. */
async function connected(stream: TLSSocket, where: string): Promise<void> {
  try {
    await once(stream, "secureConnect", { signal: AbortSignal.timeout(MAX_CONNECT_MS) });
  } catch (error) {
    stream.on("error", () => undefined).destroy();
    throw new HostRefusedError(`${where} cannot be joined: ${reasonOf(error)}.`);
  }
  // What goes wrong later is told by its end.
  stream.on("error", () => undefined);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ABORT_ERR") return "it does not answer; check the address, and whether it still runs";
  if (code === "ECONNREFUSED") return "nothing listens there; check the port, and whether it still runs";
  if (code === "ENOTFOUND") return "there is no computer of that name; check the address";
  if (/CERT|SELF_SIGNED|ALTNAME|VERIFY/.test(code))
    return `its certificate is not trusted (${code}); give the certificate that its user gave you`;
  return error instanceof Error ? error.message : String(error);
}
