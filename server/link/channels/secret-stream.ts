import { once } from "node:events";
import type { Duplex } from "node:stream";
import { connect, createSecureContext, TLSSocket } from "node:tls";

/**
 * TLS with a key that both ends have, and with forward secrecy (RFC 5489 and RFC 7905). Its ciphers, which need that key and
 * no certificate, are of TLS 1.2.
 */
const SECURITY = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

const IDENTITY = "gavel-host";

/** How long the other end may take to show that it has the key, in milliseconds. */
const HANDSHAKE_MS = 5_000;

/**
 * The end of a stream that was opened by another process: only one that has the key can say or read anything.
 * @returns undefined, with the stream destroyed, if it does not show within five seconds that it has the key.
 */
export async function secureAccepted(stream: Duplex, key: Buffer): Promise<TLSSocket | undefined> {
  const options = { isServer: true, secureContext: createSecureContext(SECURITY), pskCallback: () => key };
  return secured(new TLSSocket(stream, options), stream, "secure");
}

/** The end of a stream that this process has opened: see {@link secureAccepted}. */
export async function secureOpened(stream: Duplex, key: Buffer): Promise<TLSSocket | undefined> {
  const socket = connect({
    socket: stream,
    ...SECURITY,
    pskCallback: () => ({ psk: key, identity: IDENTITY }),
    // There is no certificate: the key says who it is.
    checkServerIdentity: () => undefined,
  });
  return secured(socket, stream, "secureConnect");
}

async function secured(socket: TLSSocket, stream: Duplex, event: string): Promise<TLSSocket | undefined> {
  // What goes wrong later is told by its end.
  socket.on("error", () => undefined);
  stream.on("error", () => undefined);
  // It would not notice that what it is made of has closed.
  stream.once("close", () => socket.destroy());
  socket.once("close", () => stream.destroy());
  const ended = new AbortController();
  socket.once("close", () => ended.abort());
  try {
    await once(socket, event, { signal: AbortSignal.any([ended.signal, AbortSignal.timeout(HANDSHAKE_MS)]) });
    return socket;
  } catch {
    socket.destroy();
    stream.destroy();
    return undefined;
  }
}
