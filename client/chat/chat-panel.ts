import type { Disposable, Event, Uri, WebviewPanel } from "vscode";
import { EventEmitter } from "vscode";
import type { PagePost, ToPage } from "../common/page-messages.ts";
import { Disposables } from "../disposables.ts";
import { loadPage, type PageFolders } from "./chat-html.ts";
import type { PageSurface } from "./page-surface.ts";
import { parsePagePost } from "./parse-page-message.ts";

/** An editor tab that holds the chat page of one team. */
export class ChatPanel implements Disposable, PageSurface {
  readonly #panel: WebviewPanel;
  readonly #own = new Disposables();
  readonly #message = this.#own.add(new EventEmitter<PagePost>());
  #ready = false;
  #hasFocus = false;

  /** What the page posts; `ready` each time it has loaded. */
  readonly onMessage: Event<PagePost> = this.#message.event;

  constructor(panel: WebviewPanel, folders: PageFolders) {
    this.#panel = panel;
    this.#own.add(panel.webview.onDidReceiveMessage((posted: unknown) => this.#received(posted)));
    this.#own.add(
      panel.onDidChangeViewState(() => {
        // A hidden page is not retained: it posts `ready` when it is shown again.
        if (!panel.visible) this.#ready = false;
      }),
    );
    loadPage(panel.webview, folders);
  }

  get visible(): boolean {
    return this.#ready && this.#panel.visible;
  }

  post(message: ToPage): void {
    if (this.#ready) void this.#panel.webview.postMessage(message);
  }

  async focus(compose: Omit<Extract<ToPage, { type: "compose" }>, "type"> = {}): Promise<void> {
    // As in the view: focused again, a page that has the focus would lose keys.
    if (!this.visible || !this.#hasFocus) this.#panel.reveal();
    this.post({ type: "compose", ...compose });
  }

  showImage(uri: string, file: Uri | undefined): void {
    const source = file === undefined ? undefined : this.#panel.webview.asWebviewUri(file).toString();
    this.post({ type: "image", uri, source: source ?? null });
  }

  dispose(): void {
    this.#own.dispose();
  }

  #received(raw: unknown): void {
    const posted = parsePagePost(raw);
    if (posted === undefined) return;
    const { message } = posted;
    if (message.type === "focus") this.#hasFocus = message.has;
    if (message.type === "ready") {
      this.#ready = true;
      this.#hasFocus = false;
    }
    this.#message.fire(posted);
  }
}
