import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Shows that one side knows the token of a host, without saying it, to whoever listens there. */
export const proofOf = (side: "client" | "host", nonce: string, token: string): string =>
  createHmac("sha256", token).update(`${side} ${nonce}`).digest("base64url");

/** A number that is used once. */
export const newNonce = (): string => randomBytes(32).toString("base64url");

/** Whether two texts are the same; it takes as long for each of the same length. */
export function isSameText(one: string, other: string): boolean {
  const [own, given] = [Buffer.from(one), Buffer.from(other)];
  return own.length === given.length && timingSafeEqual(own, given);
}
