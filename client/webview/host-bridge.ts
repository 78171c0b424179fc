import type { FromPage, ToPage } from "../../shared/page-messages.ts";

/** What the page keeps while the editor has it hidden. */
interface KeptState {
  readonly draft?: string;
}

/** The editor's side of the page: the only way in and out of it. */
interface EditorApi {
  postMessage(message: FromPage): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
}

declare function acquireVsCodeApi(): EditorApi;

// It may be called once only.
const editor = acquireVsCodeApi();

export function post(message: FromPage): void {
  editor.postMessage(message);
}

export function keptDraft(): string {
  return editor.getState()?.draft ?? "";
}

export function keepDraft(draft: string): void {
  editor.setState({ draft });
}

/** Hears what the extension says, from now on, and tells it that nothing will be lost. */
export function listen(receive: (message: ToPage) => void): void {
  addEventListener("message", (event: MessageEvent<ToPage>) => receive(event.data));
  post({ type: "ready" });
}
