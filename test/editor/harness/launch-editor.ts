import { existsSync } from "node:fs";
import { join } from "node:path";
import { npmVscode } from "../../../scripts/editor/npm-vscode.ts";
import { installVsix, startVscodeServer } from "../../../scripts/editor/vscode-server.ts";
import { root } from "../../../scripts/root.ts";
import { launchBrowser } from "./browser.ts";
import { Editor } from "./editor.ts";
import { makeScratch } from "./scratch.ts";

export interface EditorOptions {
  /** A folder that is copied and opened; without it the opened folder is empty. */
  readonly workspace?: string;
  /** The packaged extension; `dist/gavel.vsix` when left out, none with `null`. */
  readonly vsix?: string | null;
  /** Whether the folder is not trusted: VS Code asks at once, in its dialog. Left out, it is trusted without a question. */
  readonly untrusted?: boolean;
  /** The user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of VS Code, its extension host and its terminals. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Opens a fresh VS Code with the extension installed in it, and waits until the window is there.
 * @throws when the extension has not been packaged, or when VS Code or a Chromium can not be had.
 */
export async function launchEditor(options: EditorOptions = {}): Promise<Editor> {
  const scratch = await makeScratch(options.workspace, options.settings ?? {});
  const closers: (() => Promise<void>)[] = [scratch.remove];
  const dispose = async (): Promise<void> => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const serverOptions = {
      ...scratch,
      script: await npmVscode(),
      untrusted: options.untrusted ?? false,
      env: options.env ?? {},
    };
    const vsix = packaged(options.vsix);
    if (vsix !== undefined) await installVsix(serverOptions, vsix);
    const server = await startVscodeServer(serverOptions);
    closers.push(server.dispose);
    const browser = await launchBrowser();
    closers.push(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    // Generous: on a small machine that does other things too, an extension host may take half a minute to start.
    page.setDefaultTimeout(60_000);
    const editor = new Editor(page, scratch, dispose);
    await page.goto(server.address(scratch.workspace, [["skipWelcome", "true"]]));
    await editor.restored();
    return editor;
  } catch (error) {
    await dispose();
    throw error;
  }
}

/**
 * Gives a test an editor for as long as it runs. When the test fails, a picture and the logs are kept under `name`
 * in test-results/.
 */
export async function withEditor(
  name: string,
  options: EditorOptions,
  body: (editor: Editor) => Promise<void>,
): Promise<void> {
  const editor = await launchEditor(options);
  try {
    await body(editor);
  } catch (error) {
    await editor.keepEvidence(name);
    throw error;
  } finally {
    await editor.dispose();
  }
}

function packaged(wanted: string | null | undefined): string | undefined {
  if (wanted === null) return undefined;
  const vsix = wanted ?? join(root, "dist", "gavel.vsix");
  if (!existsSync(vsix)) throw new Error(`${vsix} is not there; run npm run package first.`);
  return vsix;
}
