import { type Disposable, type Tab, TabInputText, type Uri, window, workspace } from "vscode";
import { Disposables } from "../disposables.ts";

/**
 * The editors of results that wait for review. Saving sends a result, which then waits no more, but VS Code still looks at
 * what it has saved: the text is there until its editor is closed, which follows.
 */
export class ResultEditors implements Disposable {
  readonly #own = new Disposables();
  /** Texts that were sent, by the addresses of their editors. */
  readonly #sent = new Map<string, string>();

  constructor() {
    this.#own.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#sent.has(uri.toString())) void closeTabs((shown) => shown.toString() === uri.toString());
      }),
    );
    this.#own.add(workspace.onDidCloseTextDocument(({ uri }) => this.#sent.delete(uri.toString())));
  }

  /** Sends a text that is saved. @throws what `send` throws: then it was not sent. */
  async sending(uri: Uri, text: string, send: () => Promise<void>): Promise<void> {
    this.#sent.set(uri.toString(), text);
    try {
      await send();
    } catch (error) {
      this.#sent.delete(uri.toString());
      throw error;
    }
  }

  /** The text that was sent from that editor, while it is open. */
  sentText(uri: Uri): string | undefined {
    return this.#sent.get(uri.toString());
  }

  /** Closes editors of results that were decided elsewhere, except where the user has typed. */
  async closeDecided(isDecided: (uri: Uri) => boolean): Promise<void> {
    await closeTabs((uri, { isDirty }) => !isDirty && !this.#sent.has(uri.toString()) && isDecided(uri));
  }

  dispose(): void {
    this.#own.dispose();
  }
}

async function closeTabs(isMeant: (uri: Uri, tab: Tab) => boolean): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  await window.tabGroups.close(
    tabs.filter((tab) => tab.input instanceof TabInputText && isMeant(tab.input.uri, tab)),
    true,
  );
}
