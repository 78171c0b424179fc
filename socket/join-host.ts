import type { Duplex } from "node:stream";
import { HostJoin } from "../shared/contract/joining.ts";
import type { ResultOf } from "../shared/contract/message-type.ts";
import { PROTOCOL_VERSION } from "../shared/contract/version.ts";
import { askHost } from "./ask-host.ts";
import { isSameText } from "./proof.ts";

/** A connection to a running host, which carries the protocol from `initialize` on, and what the host said of itself. */
export interface JoinedHost extends ResultOf<typeof HostJoin> {
  readonly stream: Duplex;
}

/**
 * Joins the host that runs for a storage folder.
 * @returns undefined if none does: then the caller starts its own.
 * @throws HostRefusedError for a host that speaks another version of the protocol, has too many clients, or does not answer.
 */
export async function joinHost(storagePath: string): Promise<JoinedHost | undefined> {
  const asked = await askHost(storagePath, HostJoin, (proof) => ({ ...proof, protocolVersion: PROTOCOL_VERSION }));
  if (asked === undefined) return undefined;
  const { result, stream, proof } = asked;
  if (result.proof !== undefined && isSameText(result.proof, proof)) return { ...result, stream };
  // The host was killed, and another program listens at its address: it is told nothing.
  stream.destroy();
  return undefined;
}
