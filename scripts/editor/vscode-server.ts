import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { runNode } from "../run-process.ts";

export interface ServerOptions {
  /** The script that `npmVscode()` returns. */
  readonly script: string;
  readonly serverDataDir: string;
  readonly extensionsDir: string;
  /** A port, or a range `from-to` of which the first free one is taken; 0 lets the system choose. */
  readonly port?: string;
  /** Whether a folder opens in Restricted Mode until the user trusts it; without it, every folder is trusted. */
  readonly untrusted?: boolean;
  /** Added to its environment, and so to its extension host's and its terminals'. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running VS Code server that only this machine can reach. */
export interface VscodeServer {
  /** Its address with the connection token, to be completed by `workbenchAddress`. */
  readonly origin: string;
  /** How the workbench names a file of this machine. */
  readonly remoteFile: (path: string) => string;
  /** Ends it, with its extension hosts, terminals and what they started. */
  readonly dispose: () => Promise<void>;
}

/**
 * Starts VS Code's server with a random connection token, because any page in a browser on this machine can reach the port.
 * @throws one sentence with its last output when it ends, or is not listening within a minute.
 */
export async function startVscodeServer(options: ServerOptions): Promise<VscodeServer> {
  const token = randomUUID();
  const child = spawn(process.execPath, serverArguments(options, token), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.env },
    // Its own process group, so that everything it starts can be ended with it.
    detached: process.platform !== "win32",
  });
  const endWithUs = (): void => signalGroup(child, "SIGKILL");
  process.on("exit", endWithUs);
  const dispose = (): Promise<void> => endGroup(child).finally(() => process.off("exit", endWithUs));
  try {
    const port = await listeningPort(child);
    return {
      origin: `http://127.0.0.1:${port}/?tkn=${token}`,
      remoteFile: (path) => `vscode-remote://127.0.0.1:${port}${path}`,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The address at which a server's workbench opens a folder, or an empty window, with the workbench's payload. */
export function workbenchAddress(
  origin: string,
  folder: string | undefined,
  payload: readonly (readonly [string, string])[],
): string {
  const opened = folder === undefined ? { ew: "true" } : { folder };
  return `${origin}&${new URLSearchParams({ ...opened, payload: JSON.stringify(payload) })}`;
}

/** The port that a server says it listens on. */
function listeningPort(child: ChildProcessByStdio<null, Readable, Readable>): Promise<number> {
  return new Promise((resolve, reject) => {
    let log = "";
    const late = setTimeout(() => fail("did not listen within a minute"), 60_000);
    const fail = (what: string): void => reject(new Error(`VS Code's server ${what}.\n${log.slice(-2000).trim()}`));
    const read = (text: string): void => {
      log += text;
      const port = /Extension host agent listening on (\d+)/.exec(log)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      // The output is still read, so that a full pipe does not block the server, but not kept.
      child.stdout.off("data", read).resume();
      child.stderr.off("data", read).resume();
      resolve(Number(port));
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.on("error", ({ message }) => fail(`did not start: ${message}`));
    child.on("exit", (code) => fail(`ended with ${code}`));
  });
}

function serverArguments(options: ServerOptions, token: string): string[] {
  const { script, port = "0", untrusted = false, serverDataDir, extensionsDir } = options;
  return [
    script,
    ...["--host", "127.0.0.1", "--port", port, "--connection-token", token, "--accept-server-license-terms"],
    ...["--server-data-dir", serverDataDir, "--extensions-dir", extensionsDir],
    ...["--disable-telemetry", "--disable-experiments"],
    ...(untrusted ? [] : ["--disable-workspace-trust"]),
  ];
}

/** Installs a packaged extension into a server's extensions folder, as a user's "Install from VSIX" does. */
export async function installVsix(options: ServerOptions, vsix: string): Promise<void> {
  const folders = ["--server-data-dir", options.serverDataDir, "--extensions-dir", options.extensionsDir];
  await runNode([options.script, "--accept-server-license-terms", ...folders, "--install-extension", vsix, "--force"]);
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
  signalGroup(child, "SIGTERM");
  const late = setTimeout(() => signalGroup(child, "SIGKILL"), 3000);
  await ended;
  clearTimeout(late);
  // Extension hosts outlive their server, waiting for it to come back.
  signalGroup(child, "SIGKILL");
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // ESRCH: all of it has ended.
  }
}
