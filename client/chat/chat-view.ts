import type { Disposable, Event, Uri, Webview, WebviewView } from "vscode";
import { commands, EventEmitter, workspace } from "vscode";
import type { FromPage, ToPage } from "../common/page-messages.ts";
import { viewIds } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { NoticePage } from "../errors/notices.ts";
import { chatHtml, pageFolder } from "./chat-html.ts";
import { parsePageMessage } from "./parse-page-message.ts";

/**
 * The view that holds the chat page. The page is not kept while it is hidden: it is rebuilt from the team's state, which
 * costs a frame, and a hidden page would cost its memory for as long as the window lives. Nothing is posted before the page
 * says `ready`.
 */
export class ChatView implements Disposable, NoticePage {
  readonly #extension: Uri;
  readonly #own = new Disposables();
  readonly #message = this.#own.add(new EventEmitter<FromPage>());
  #view: WebviewView | undefined;
  #ready = false;
  /** Waits for the page: what it should begin with once it is there. */
  #compose: ToPage | undefined;

  /** What the page asks for; `ready` each time it has been loaded. */
  readonly onMessage: Event<FromPage> = this.#message.event;

  constructor(extension: Uri) {
    this.#extension = extension;
  }

  get visible(): boolean {
    return this.#ready && this.#view?.visible === true;
  }

  /** Fills the view that VS Code has made. */
  show(view: WebviewView): void {
    const scope = new Disposables();
    this.#view = view;
    this.#ready = false;
    view.webview.options = {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [
        pageFolder(this.#extension),
        // Images that messages show.
        ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri),
      ],
    };
    scope.add(view.webview.onDidReceiveMessage((message: unknown) => this.#received(message)));
    scope.add(view.onDidChangeVisibility(() => this.#visibilityChanged(view)));
    view.onDidDispose(() => {
      scope.dispose();
      if (this.#view === view) this.#view = undefined;
    });
    this.#load(view.webview);
  }

  /** Tells the page, once it is ready; what comes before is not lost, as `ready` is answered with all there is. */
  post(message: ToPage): void {
    if (this.#ready) void this.#view?.webview.postMessage(message);
  }

  /** Brings the chat to the front with the focus in its composer. */
  async focus(compose: Omit<Extract<ToPage, { type: "compose" }>, "type"> = {}): Promise<void> {
    const message: ToPage = { type: "compose", ...compose };
    if (!this.visible) this.#compose = message;
    await commands.executeCommand(`${viewIds.chat}.focus`);
    if (this.visible) this.#postCompose(message);
  }

  /** Answers the page's asking for an image: with where it can load the file from, or that there is none. */
  showImage(uri: string, file: Uri | undefined): void {
    const source = file === undefined ? undefined : this.#view?.webview.asWebviewUri(file).toString();
    this.post({ type: "image", uri, source: source ?? null });
  }

  dispose(): void {
    this.#own.dispose();
  }

  #load(webview: Webview): void {
    webview.html = chatHtml(webview, this.#extension);
  }

  #visibilityChanged(view: WebviewView): void {
    if (!view.visible) this.#ready = false;
  }

  #received(raw: unknown): void {
    const message = parsePageMessage(raw);
    if (message === undefined) return;
    if (message.type === "ready") this.#ready = true;
    this.#message.fire(message);
    if (message.type === "ready" && this.#compose !== undefined) this.#postCompose(this.#compose);
  }

  #postCompose(message: ToPage): void {
    this.#compose = undefined;
    this.post(message);
  }
}
