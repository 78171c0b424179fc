import type { Uri } from "vscode";
import type { ToPage } from "../common/page-messages.ts";

/** Where a chat page is: the view, or an editor tab. */
export interface PageSurface {
  /** True while the user can see the page. */
  readonly visible: boolean;
  /** Posts to the page if it is ready. */
  post(message: ToPage): void;
  /** Shows the chat and focuses its composer. */
  focus(compose?: Omit<Extract<ToPage, { type: "compose" }>, "type">): Promise<void>;
  /** Answers the page's request for an image; `file` is undefined when it may not be loaded. */
  showImage(uri: string, file: Uri | undefined): void;
}
