import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import * as z from "zod";
import type { RequestMessage } from "../shared/contract/message-type.ts";
import { frameOf, readFirstFrame } from "./first-frame.ts";
import { isOwnAddress } from "./own-address.ts";
import { readHostPlace } from "./place-file.ts";
import { newNonce, proofOf } from "./proof.ts";

/** How long a host may take to answer, in milliseconds: its machine may be busy, and to end it may interrupt what runs. */
const MAX_ANSWER_MS = 15_000;
const MAX_ANSWER = 16_000;

/** A host runs for the storage folder, and does not do what it is asked. The message is a sentence for the user. */
export class HostRefusedError extends Error {
  override readonly name = "HostRefusedError";
}

/** How a client shows that it knows the token, which it does not send. */
export interface Proof {
  readonly nonce: string;
  readonly proof: string;
}

/**
 * Sends the first message to the host that runs for a storage folder.
 * @returns its answer, the stream that carries what comes after it, and how the host proves itself; undefined if no host
 * runs.
 * @throws HostRefusedError for a host that refuses, or does not answer.
 */
export async function askHost<P extends z.ZodType, R extends z.ZodType>(
  storagePath: string,
  message: RequestMessage<P, R>,
  paramsFor: (proof: Proof) => z.input<P>,
): Promise<{ readonly result: z.output<R>; readonly stream: Socket; readonly proof: string } | undefined> {
  const place = readHostPlace(storagePath);
  if (place === undefined || !isOwnAddress(place.address)) return undefined;
  const stream = await connected(place.address);
  if (stream === undefined) return undefined;
  const nonce = newNonce();
  const result = await askOver(stream, message, paramsFor({ nonce, proof: proofOf("client", nonce, place.token) }));
  if (result !== undefined) return { result, stream, proof: proofOf("host", nonce, place.token) };
  // One that has ended meanwhile has removed its file, or another has replaced it.
  if (readHostPlace(storagePath)?.token !== place.token) return undefined;
  const text = `The agent host of this folder runs, but does not answer; end its process, ${place.pid}, and try again.`;
  throw new HostRefusedError(text);
}

/**
 * Sends the first message over a stream.
 * @returns the answer; undefined, with the stream destroyed, for none.
 * @throws HostRefusedError for a host that refuses.
 */
export async function askOver<P extends z.ZodType, R extends z.ZodType>(
  stream: Duplex,
  { method, result }: RequestMessage<P, R>,
  params: z.input<P>,
): Promise<z.output<R> | undefined> {
  stream.write(frameOf({ id: 0, method, params }));
  const answer = answerIn(await readFirstFrame(stream, { maxSize: MAX_ANSWER, maxMs: MAX_ANSWER_MS }), result);
  if (answer !== undefined && "result" in answer) return answer.result;
  stream.destroy();
  if (answer !== undefined) throw new HostRefusedError(answer.refusal);
  return undefined;
}

const Refusal = z.object({ error: z.object({ message: z.string().max(2_000) }) });

function answerIn<R extends z.ZodType>(
  frame: unknown,
  schema: R,
): { readonly result: z.output<R> } | { readonly refusal: string } | undefined {
  const refused = Refusal.safeParse(frame);
  if (refused.success) return { refusal: refused.data.error.message };
  const answered = z.object({ result: z.unknown() }).safeParse(frame);
  if (!answered.success || !(typeof frame === "object" && frame !== null && "result" in frame)) return undefined;
  const result = schema.safeParse(answered.data.result);
  return result.success ? { result: result.data } : undefined;
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
