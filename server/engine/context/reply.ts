import type { ChatMessage } from "../../../shared/contract/message.ts";

/** A message without its time and source. `id` is that of its chunks, if it was streamed. */
export type Reply = Pick<ChatMessage, "type" | "content" | "usage" | "metadata"> & { readonly id?: string };
