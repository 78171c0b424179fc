import type { ChatMessage } from "../../../shared/contract/message.ts";
import { newId } from "../id.ts";

/** A message without its time and source. `id` is that of its chunks, if it was streamed. */
export type Reply = Pick<ChatMessage, "type" | "content" | "usage" | "model" | "metadata"> & { readonly id?: string };

/** A reply as a message of `source` that is added now. */
export const replyMessage = (source: string, { id = newId("msg"), ...reply }: Reply): ChatMessage => ({
  id,
  source,
  createdAt: new Date().toISOString(),
  ...reply,
});
