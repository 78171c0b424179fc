import type { FromPage, PagePost, ToPage } from "../../common/page-messages.ts";

/** What the editor stores for the page while it is hidden. */
export interface StoredState {
  /** The team that the page showed last. */
  readonly teamId?: string;
  /** What is written to questions and not sent, by team and question. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What is written on cards of calls and not sent, by team, call and use. */
  readonly written?: Readonly<Record<string, string>>;
  /** Whether long lines of code are wrapped. */
  readonly wrapCode?: boolean;
}

/** VS Code's API for webviews. */
interface EditorApi {
  postMessage(posted: PagePost): void;
  getState(): StoredState | undefined;
  setState(state: StoredState): void;
}

declare function acquireVsCodeApi(): EditorApi;

// VS Code allows one call.
const editor = acquireVsCodeApi();

let shownTeam: string | undefined;

/** Says which team the page shows: what is posted from now on is about that team. */
export function setShownTeam(teamId: string | undefined): void {
  shownTeam = teamId;
  // An editor tab is restored with it.
  if (teamId !== undefined) storeState({ teamId });
}

/** Posts what is about the team that is shown, or about the one that is named. */
export function post(message: FromPage, teamId = shownTeam): void {
  editor.postMessage({ ...(teamId === undefined ? {} : { teamId }), message });
}

/** The stored state; empty the first time. */
export function storedState(): StoredState {
  return editor.getState() ?? {};
}

/** Merges `state` into the stored state. */
export function storeState(state: StoredState): void {
  editor.setState({ ...storedState(), ...state });
}

/** Receives the extension's messages from now on, and tells it that the page is ready. */
export function listen(receive: (message: ToPage) => void): void {
  addEventListener("message", (event: MessageEvent<ToPage>) => receive(event.data));
  post({ type: "ready" });
}
