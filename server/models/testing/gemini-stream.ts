import type { ServerResponse } from "node:http";
import type { GeminiModel } from "../../../shared/contract/definition.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Below the address of a raw endpoint, as the SDK adds a version of its own. */
export const geminiAt = (url: string, more: Partial<GeminiModel> = {}): GeminiModel => ({
  provider: "gemini",
  model: "gemini-test",
  baseUrl: url.replace(/\/v1$/, ""),
  ...more,
});

/** A chunk with these parts. */
export const parts = (...all: readonly Fields[]) => ({ candidates: [{ content: { role: "model", parts: all } }] });

/** The last chunk of an answer. */
export const ended = (
  finishReason = "STOP",
  usageMetadata: Fields = { promptTokenCount: 10, candidatesTokenCount: 5 },
) => ({
  candidates: [{ content: { role: "model", parts: [] }, finishReason }],
  usageMetadata,
});

/** Sends a complete answer of the Gemini API. */
export function sendChunks(response: ServerResponse, ...chunks: readonly Fields[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));
}
