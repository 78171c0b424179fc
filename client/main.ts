import type { Disposable, ExtensionContext } from "vscode";
import { commands, window } from "vscode";
import { commandIds, panelType, viewIds } from "./contributions.ts";
import type { Gavel } from "./gavel.ts";

/** Shuts the host down. VS Code calls `deactivate` without the context that it gives to `activate`. */
let stop: (() => Promise<void>) | undefined;

/**
 * Called by VS Code at the first command or view of Gavel. It only registers commands and views; the rest of the
 * extension, which takes several times as long to load, is loaded after it has returned.
 */
export function activate(context: ExtensionContext): void {
  const own = (disposable: Disposable): number => context.subscriptions.push(disposable);
  const gavel = load(context);
  for (const id of commandIds) {
    own(
      commands.registerCommand(id, async (argument: unknown, selected: unknown) =>
        (await gavel).run(id, argument, selected),
      ),
    );
  }
  const resolveWebviewView: Gavel["showChat"] = async (view) => (await gavel).showChat(view);
  own(window.registerWebviewViewProvider(viewIds.chat, { resolveWebviewView }));
  const deserializeWebviewPanel: Gavel["restorePanel"] = async (panel, stored) =>
    (await gavel).restorePanel(panel, stored);
  own(window.registerWebviewPanelSerializer(panelType, { deserializeWebviewPanel }));
}

async function load(context: ExtensionContext): Promise<Gavel> {
  await new Promise(setImmediate);
  const { createGavel } = await import("./gavel.ts");
  const gavel = createGavel(context);
  context.subscriptions.push(gavel);
  stop = gavel.stop;
  return gavel;
}

/** Called by VS Code when the window closes; it waits at most a few seconds. */
export async function deactivate(): Promise<void> {
  await stop?.();
}
