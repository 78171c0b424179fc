import type { Delivery, FromPage, ToPage } from "../../common/page-messages.ts";

/** What the editor stores for the page while it is hidden. */
export interface SavedState {
  readonly draft?: string;
  /** The delivery that the user chose last. */
  readonly delivery?: Delivery;
}

/** VS Code's API for webviews. */
interface EditorApi {
  postMessage(message: FromPage): void;
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
}

declare function acquireVsCodeApi(): EditorApi;

// VS Code allows one call.
const editor = acquireVsCodeApi();

export function post(message: FromPage): void {
  editor.postMessage(message);
}

/** The stored state; empty the first time. */
export function savedState(): SavedState {
  return editor.getState() ?? {};
}

/** Merges `state` into the stored state. */
export function saveState(state: SavedState): void {
  editor.setState({ ...savedState(), ...state });
}

/** Receives the extension's messages from now on, and tells it that the page is ready. */
export function listen(receive: (message: ToPage) => void): void {
  addEventListener("message", (event: MessageEvent<ToPage>) => receive(event.data));
  post({ type: "ready" });
}
