/** Anthropic's SDK, which is a bundle of its own: it is loaded with the first request. */
export { APIError, default as Anthropic } from "@anthropic-ai/sdk";
