import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import * as z from "zod";
import { HostJoin } from "../shared/contract/joining.ts";
import type { ResultOf } from "../shared/contract/message-type.ts";
import { PROTOCOL_VERSION } from "../shared/contract/version.ts";
import { frameOf, readFirstFrame } from "./first-frame.ts";
import { isOwnAddress } from "./own-address.ts";
import { readHostPlace } from "./place-file.ts";

/** How long a host may take to answer, in milliseconds: its machine may be busy. */
const MAX_ANSWER_MS = 10_000;
const MAX_ANSWER = 16_000;

const Answer = z.union([
  z.object({ result: HostJoin.result }),
  z.object({ error: z.object({ message: z.string().max(2_000) }) }),
]);

/** A connection to a running host, which carries the protocol from `initialize` on, and what the host said of itself. */
export interface JoinedHost extends ResultOf<typeof HostJoin> {
  readonly stream: Duplex;
}

/** A host runs for the storage folder, and this client cannot join it. The message is a sentence for the user. */
export class HostRefusedError extends Error {
  override readonly name = "HostRefusedError";
}

/**
 * Joins the host that runs for a storage folder.
 * @returns undefined if none does: then the caller starts its own.
 * @throws HostRefusedError for a host that speaks another version of the protocol, has too many clients, or does not answer.
 */
export async function joinHost(storagePath: string): Promise<JoinedHost | undefined> {
  const place = readHostPlace(storagePath);
  if (place === undefined || !isOwnAddress(place.address)) return undefined;
  const socket = await connected(place.address);
  if (socket === undefined) return undefined;
  const asked = { token: place.token, protocolVersion: PROTOCOL_VERSION };
  socket.write(frameOf({ id: 0, method: HostJoin.method, params: asked }));
  const answer = Answer.safeParse(await readFirstFrame(socket, { maxSize: MAX_ANSWER, maxMs: MAX_ANSWER_MS }));
  if (answer.success && "result" in answer.data) return { ...answer.data.result, stream: socket };
  socket.destroy();
  if (answer.success && "error" in answer.data) throw new HostRefusedError(answer.data.error.message);
  // One that has ended meanwhile has removed its file, or another has replaced it.
  if (readHostPlace(storagePath)?.token !== place.token) return undefined;
  const message = `The agent host of this folder runs, but does not answer; end its process, ${place.pid}, and try again.`;
  throw new HostRefusedError(message);
}

/** Undefined where no process listens. */
async function connected(address: string): Promise<Socket | undefined> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
  } catch {
    socket.destroy();
    return undefined;
  }
  // What goes wrong later is told by its end.
  socket.on("error", () => undefined);
  return socket;
}
