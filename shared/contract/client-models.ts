import * as z from "zod";
import { notification, request } from "./message-type.ts";

// What the host and the client say to each other for a model of `provider: vscode`, which the client supplies.

/** One part of a message to a model. */
export const ClientModelContent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  /** A data, http or https URI. */
  z.object({ type: z.literal("image"), uri: z.string() }),
  z.object({ type: z.literal("call"), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  /** The result of a call, in the message right after it. */
  z.object({ type: z.literal("result"), id: z.string(), text: z.string(), isError: z.boolean() }),
]);
export type ClientModelContent = z.infer<typeof ClientModelContent>;

/** One message to a model. Two messages in a row never have the same role. */
export const ClientModelMessage = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.array(ClientModelContent),
});
export type ClientModelMessage = z.infer<typeof ClientModelMessage>;

/** One part of an answer. */
export const ClientModelPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), delta: z.string() }),
  z.object({ type: z.literal("thought"), delta: z.string() }),
  z.object({ type: z.literal("call"), id: z.string().optional(), name: z.string(), input: z.unknown() }),
]);
export type ClientModelPart = z.infer<typeof ClientModelPart>;

/** Why there is no answer, or no more of it. */
export const ClientModelFailure = z.enum(["notFound", "notAllowed", "refused", "failed"]);
export type ClientModelFailure = z.infer<typeof ClientModelFailure>;

/**
 * Asks a model of the client. Its answer comes in `models/part` notifications before the result. Cancelled with
 * `$/cancelRequest`: the client then answers at once.
 */
export const ModelsStream = request(
  "models/stream",
  z.object({
    requestId: z.string(),
    /** Who asks. */
    participant: z.string(),
    /** Which of the client's models; any if both are left out. */
    vendor: z.string().optional(),
    model: z.string().optional(),
    messages: z.array(ClientModelMessage),
    tools: z.array(
      z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
    ),
    maxTokens: z.number().optional(),
  }),
  z.union([
    z.object({
      failure: ClientModelFailure,
      /** The reason, to be used within a sentence. */
      message: z.string(),
    }),
    z.object({
      /** Tokens, if the model reports them; otherwise the host estimates them. */
      usage: z.object({ prompt: z.number().min(0), completion: z.number().min(0) }).optional(),
    }),
  ]),
);

/**
 * Sent by the client: the next parts of an answer. Parts of an unknown request are ignored. `asksUser`: whether the user is
 * now asked if the model may be used, which counts into no limit of time.
 */
export const ModelsPart = notification(
  "models/part",
  z.object({ requestId: z.string(), parts: z.array(ClientModelPart), asksUser: z.boolean().optional() }),
);
