import type { Disposable, Event, Uri, WebviewView } from "vscode";
import { commands, EventEmitter } from "vscode";
import type { PagePost, ToPage } from "../common/page-messages.ts";
import { viewIds } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { NoticePage } from "../status/notices.ts";
import { loadPage, type PageFolders } from "./chat-html.ts";
import type { PageSurface } from "./page-surface.ts";
import { parsePagePost } from "./parse-page-message.ts";

/**
 * The view that holds the chat page. A hidden page is not retained: building it again from the team's state takes a
 * frame, while retaining it would use its memory for as long as the window is open. Nothing is posted before the page
 * posts `ready`.
 */
export class ChatView implements Disposable, NoticePage, PageSurface {
  readonly #folders: PageFolders;
  readonly #own = new Disposables();
  readonly #message = this.#own.add(new EventEmitter<PagePost>());
  readonly #visibility = this.#own.add(new EventEmitter<undefined>());
  #view: WebviewView | undefined;
  #ready = false;
  #hasFocus = false;
  /** What the page should show, posted once it is ready. */
  #wanted: ToPage | undefined;

  /** What the page posts; `ready` each time it has loaded. */
  readonly onMessage: Event<PagePost> = this.#message.event;

  /** Fires when {@link visible} may have changed. */
  readonly onVisibilityChanged: Event<undefined> = this.#visibility.event;

  constructor(folders: PageFolders) {
    this.#folders = folders;
  }

  get visible(): boolean {
    return this.#ready && this.#view?.visible === true;
  }

  /** Loads the page into the view that VS Code has created. */
  show(view: WebviewView): void {
    const scope = new Disposables();
    this.#view = view;
    this.#ready = false;
    scope.add(view.webview.onDidReceiveMessage((message: unknown) => this.#received(message)));
    scope.add(view.onDidChangeVisibility(() => this.#visibilityChanged(view)));
    view.onDidDispose(() => {
      scope.dispose();
      if (this.#view === view) this.#view = undefined;
      this.#visibility.fire(undefined);
    });
    loadPage(view.webview, this.#folders);
  }

  /** Posts to the page if it is ready. An earlier message is not lost: `ready` is answered with the whole state. */
  post(message: ToPage): void {
    if (this.#ready) void this.#view?.webview.postMessage(message);
  }

  /** Shows the chat and focuses its composer. */
  async focus(compose: Omit<Extract<ToPage, { type: "compose" }>, "type"> = {}): Promise<void> {
    await this.reveal({ type: "compose", ...compose });
  }

  /**
   * Shows and focuses the chat, and then what the message says. A page that has the focus keeps it: VS Code would take it
   * away and give it back, and what the user types in between would be lost.
   */
  async reveal(message: Extract<ToPage, { type: "compose" | "revealCall" | "showCallRow" | "find" }>): Promise<void> {
    if (this.visible && this.#hasFocus) {
      this.#postWanted(message);
      return;
    }
    if (!this.visible) this.#wanted = message;
    await commands.executeCommand(`${viewIds.chat}.focus`);
    if (this.visible) this.#postWanted(message);
  }

  /** Answers the page's request for an image; `file` is undefined when it may not be loaded. */
  showImage(uri: string, file: Uri | undefined): void {
    const source = file === undefined ? undefined : this.#view?.webview.asWebviewUri(file).toString();
    this.post({ type: "image", uri, source: source ?? null });
  }

  dispose(): void {
    this.#own.dispose();
  }

  #visibilityChanged(view: WebviewView): void {
    if (!view.visible) this.#ready = false;
    this.#visibility.fire(undefined);
  }

  #received(raw: unknown): void {
    const posted = parsePagePost(raw);
    if (posted === undefined) return;
    const isReady = posted.message.type === "ready";
    if (posted.message.type === "focus") this.#hasFocus = posted.message.has;
    if (isReady) {
      this.#ready = true;
      this.#hasFocus = false;
      this.#visibility.fire(undefined);
    }
    this.#message.fire(posted);
    if (isReady && this.#wanted !== undefined) this.#postWanted(this.#wanted);
  }

  #postWanted(message: ToPage): void {
    this.#wanted = undefined;
    this.post(message);
  }
}
