import * as z from "zod";
import { request } from "../message-type.ts";
import { StorageStatus } from "../storage.ts";
import { nothing } from "./params.ts";

/** Sent when the user no longer allows an endpoint: the host asks again with `endpoints/allow` before it uses it. */
export const EndpointsForget = request("endpoints/forget", z.strictObject({ origin: z.string().min(1) }), nothing);

/** Sent when the user no longer allows a program: it is stopped, and the host asks again before it starts it. */
export const ProgramsForget = request("programs/forget", z.strictObject({ digest: z.string().min(1) }), nothing);

/**
 * What the user wants to do about a storage that cannot be written: try again, which the host also does by itself, or
 * continue without saving. Every tool call that may have an effect then asks, until everything is stored.
 */
export const StorageResolve = request(
  "storage/resolve",
  z.strictObject({ action: z.enum(["retry", "continueWithoutSaving"]) }),
  StorageStatus,
);
