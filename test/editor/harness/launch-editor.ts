import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./browser.ts";
import { Editor } from "./editor.ts";
import { type EditorServerOptions, sharedServer, startEditorServer } from "./editor-server.ts";

export interface EditorOptions extends EditorServerOptions {
  /** A folder that is copied and opened; without it the opened folder is empty. */
  readonly workspace?: string;
  /** The name of the opened folder, where a picture shows its path. */
  readonly folderName?: string;
  /** Whether to open no folder at all. */
  readonly noFolder?: boolean;
  /** Whether to start a VS Code that is not shared, so that there is only one host process. */
  readonly separate?: boolean;
  /** The size of the window; 1400 by 900 if left out. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Opens a new window of VS Code with the extension and waits until it has loaded: in the shared VS Code of the test
 * command, or in a new one.
 * @throws when the extension has not been packaged, or when VS Code or a Chromium cannot be installed.
 */
export async function launchEditor({
  workspace,
  folderName,
  noFolder = false,
  separate = false,
  size = { width: 1400, height: 900 },
  ...serverOptions
}: EditorOptions = {}): Promise<Editor> {
  const closers: (() => Promise<void>)[] = [];
  const dispose = async (): Promise<void> => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const folder = await newFolder(folderName);
    closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // A copy, so that a test may write into it.
    if (workspace !== undefined) await cp(workspace, folder, { recursive: true });
    const own = separate || Object.keys(serverOptions).length > 0;
    const server = (own ? undefined : sharedServer()) ?? (await startEditorServer(serverOptions));
    closers.push(server.dispose);
    const browser = await openBrowser();
    closers.push(() => browser.close());
    // A separate context, as VS Code stores state in the browser, such as secrets.
    const context = await browser.newContext({ viewport: size });
    closers.push(() => context.close());
    const page = await context.newPage();
    // Generous: on a busy machine the extension host may take half a minute to start.
    page.setDefaultTimeout(60_000);
    const editor = new Editor(page, { workspace: folder, server, dispose });
    await page.goto(server.address(noFolder ? undefined : folder));
    await editor.restored();
    return editor;
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A new folder for temporary files; with a name, exactly that one unless it is taken. */
async function newFolder(name: string | undefined): Promise<string> {
  if (name === undefined) return mkdtemp(join(tmpdir(), "gavel-workspace-"));
  const folder = join(tmpdir(), name);
  try {
    await mkdir(folder);
    return folder;
  } catch {
    return mkdtemp(`${folder}-`);
  }
}

/**
 * Gives a test a window for as long as it runs. When the test fails, a screenshot and the logs are saved under `name`
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
    await editor.saveDiagnostics(name);
    throw error;
  } finally {
    await editor.dispose();
  }
}
