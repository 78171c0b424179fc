import type { ChatPageDriver } from "../chat-page.ts";

/** A state of the page, for screenshots and for what must hold in every state. */
export interface GalleryState {
  readonly name: string;
  readonly show: (chat: ChatPageDriver) => Promise<void>;
}
