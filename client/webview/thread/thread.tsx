import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { LazyPart } from "../state/lazy-part.ts";

/** The rows of a thread, and all that renders Markdown. */
const messageList = new LazyPart<ComponentType>(() =>
  import("./message-list.tsx").then(({ MessageList }) => MessageList),
);
// At once, beside what the page paints first, so that it is there when the editor sends the first thread.
messageList.load();

/** The thread of the team. */
export function Thread() {
  const MessageList = messageList.loaded;
  useEffect(() => messageList.load(), []);
  return MessageList === undefined ? <div class="list-frame" aria-busy="true" /> : <MessageList />;
}
