import type { Delivery, FromPage, ToPage } from "../../common/page-messages.ts";

/** What the page keeps while the editor has it hidden. */
export interface SavedState {
  readonly draft?: string;
  /** How the user last sent a message to a participant of a team at work. */
  readonly delivery?: Delivery;
}

/** The editor's side of the page: the only way in and out of it. */
interface EditorApi {
  postMessage(message: FromPage): void;
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
}

declare function acquireVsCodeApi(): EditorApi;

// It may be called once only.
const editor = acquireVsCodeApi();

export function post(message: FromPage): void {
  editor.postMessage(message);
}

/** What was kept; empty the first time. */
export function savedState(): SavedState {
  return editor.getState() ?? {};
}

/** Keeps this with what is kept already. */
export function saveState(state: SavedState): void {
  editor.setState({ ...savedState(), ...state });
}

/** Hears what the extension says, from now on, and tells it that nothing will be lost. */
export function listen(receive: (message: ToPage) => void): void {
  addEventListener("message", (event: MessageEvent<ToPage>) => receive(event.data));
  post({ type: "ready" });
}
