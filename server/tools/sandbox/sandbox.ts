import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { removeFolder, SessionFolder } from "../session/session-folder.ts";
import { isWithin } from "../workspace/workspace.ts";
import { bubblewrapOptions, PROXY_SOCKET } from "./bubblewrap.ts";
import { existingPaths } from "./existing-paths.ts";
import { npmrcWithoutLogins, packageCaches, secretsIn } from "./home-paths.ts";
import { HostProxy } from "./host-proxy.ts";
import { listeningPorts } from "./listening-ports.ts";
import { installCommand, type Mechanism, mechanismHere, NO_MECHANISM } from "./mechanism.ts";
import { Placeholders } from "./placeholders.ts";
import { relay } from "./relay.ts";
import { sandboxEnvironment } from "./sandbox-environment.ts";
import { sandboxFailure } from "./sandbox-failure.ts";
import type { SandboxLayout } from "./sandbox-layout.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import { unixSockets } from "./unix-sockets.ts";
import { type PathRules, WorkspacePaths } from "./workspace-paths.ts";

/** The port in the sandbox at which a command finds the proxy; outside the range from which the system takes free ports. */
const PROXY_PORT = 61_080;
/** How long the trial may take, in milliseconds. */
const TRIAL_TIMEOUT_MS = 15_000;

/** Whether commands can run in a sandbox here; if not, why, as a clause, and the shell command that would install it. */
export type SandboxState =
  | { readonly available: true; readonly mechanism: Mechanism["kind"] }
  | { readonly available: false; readonly reason: string; readonly install?: string };

/** A command that is to run in the sandbox. */
export interface CommandToSandbox {
  readonly command: string;
  /** The working directory, absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The workspace's folders, absolute. */
  readonly roots: readonly string[];
  readonly rules: PathRules;
  /** Absolute paths that are hidden wherever they are. */
  readonly hidden: readonly string[];
  /** Host names, which may have stars and a port. */
  readonly allowedHosts: readonly string[];
}

/** How to start a command in the sandbox. */
export interface SandboxedCommand {
  /** The program with its arguments. */
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file that the program reads as descriptor 5; it then reports its namespace on descriptor 4. */
  readonly options: string | undefined;
  /** Why it failed, if the sandbox was the cause. */
  failure(output: string): string | undefined;
  /** Closes its connections and takes back what protects the workspace. To be called when no process of it runs. */
  close(): void;
}

/** What belongs to one command. */
interface Own {
  readonly proxy: HostProxy;
  readonly temp: string;
}

/** Runs commands so that they reach only what they need: bubblewrap on Linux, seatbelt on macOS. */
export class Sandbox {
  readonly #session: SessionFolder;
  readonly #placeholders: Placeholders;
  readonly #paths = new WorkspacePaths();
  #state: Promise<SandboxState> | undefined;

  constructor(session: SessionFolder = new SessionFolder()) {
    this.#session = session;
    this.#placeholders = new Placeholders(session);
  }

  /** Found out once, by running a command in one. */
  state(): Promise<SandboxState> {
    this.#state ??= this.#try().catch((error: unknown) => unavailable(messageIn(error)));
    return this.#state;
  }

  /** @throws Error when the sandbox cannot be set up; the reason of `signal` when it is aborted. */
  async prepare(wanted: CommandToSandbox, signal: AbortSignal): Promise<SandboxedCommand> {
    const mechanism = mechanismHere();
    if (mechanism === undefined) throw new Error(NO_MECHANISM);
    const home = await realpath(homedir()).catch(() => homedir());
    const roots = await existingPaths(wanted.roots);
    const placeholders = this.#placeholders.take(roots);
    const proxy = new HostProxy(wanted.allowedHosts);
    const temp = this.#tempFor([...roots, home, process.execPath]);
    const close = (): void => {
      proxy.close();
      this.#placeholders.release(placeholders);
      if (temp !== this.#session.temp) removeFolder(temp);
    };
    try {
      const layout = await this.#layout({ ...wanted, roots }, home, signal);
      const protectedLayout = { ...layout, readOnly: [...layout.readOnly, ...placeholders] };
      const own = { proxy, temp };
      const started =
        mechanism.kind === "bubblewrap"
          ? await this.#withBubblewrap(mechanism.program, wanted, protectedLayout, own)
          : await this.#withSeatbelt(mechanism.program, wanted, protectedLayout, own);
      const failure = (output: string) =>
        sandboxFailure({ output, refused: proxy.refused, hidden: [...layout.hidden, ...layout.sockets], home });
      return { ...started, failure, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  /**
   * The folder that a command sees as /tmp: the same for all commands of the session. Where folders that the command has to
   * find are in /tmp too, it gets its own: an earlier command must not prepare the places where they are mounted.
   */
  #tempFor(folders: readonly string[]): string {
    if (!folders.some((folder) => isWithin("/tmp", folder) || isWithin("/var/tmp", folder))) return this.#session.temp;
    const temp = this.#session.fresh("tmp");
    mkdirSync(temp);
    return temp;
  }

  async #layout(wanted: CommandToSandbox, home: string, signal: AbortSignal): Promise<SandboxLayout> {
    const { env, rules, roots } = wanted;
    const [inWorkspace, secrets, storage, sockets, caches, npmrc] = await Promise.all([
      this.#paths.find(roots, rules, signal),
      secretsIn(home),
      existingPaths([...wanted.hidden, this.#session.path]),
      unixSockets().then(existingPaths),
      packageCaches(home, env),
      npmrcWithoutLogins(home),
    ]);
    const npmrcPath = join(home, ".npmrc");
    return {
      writable: [...caches, ...roots].sort((one, other) => one.length - other.length),
      readOnly: inWorkspace.readOnly,
      hidden: [...new Set([...secrets, ...storage, ...inWorkspace.hidden])],
      sockets,
      replaced:
        npmrc === undefined ? [] : [{ path: await realpath(npmrcPath), content: this.#session.write("npmrc", npmrc) }],
      shown: [home, dirname(process.execPath)],
    };
  }

  async #withBubblewrap(bubblewrap: string, wanted: CommandToSandbox, layout: SandboxLayout, { proxy, temp }: Own) {
    const proxySocket = this.#session.fresh("proxy");
    await proxy.listen(proxySocket);
    const { unreadable } = this.#session;
    const files = { temp, unreadable, proxySocket };
    const needsFileCapabilities = process.getuid?.() === 0 && wanted.roots.some((root) => statSync(root).uid !== 0);
    const given = await bubblewrapOptions({ layout, files, cwd: wanted.cwd, needsFileCapabilities });
    const options = this.#session.fresh("options");
    writeFileSync(options, given.map((option) => `${option}\0`).join(""), { mode: 0o600 });
    const ports = await listeningPorts();
    const start = [process.execPath, "-e", `(${relay})()`, "--", PROXY_SOCKET, String(PROXY_PORT), ports.join(",")];
    return {
      program: [bubblewrap, "--args", "5", "--", ...start, "/bin/sh", "-c", wanted.command],
      options,
      env: {
        ...sandboxEnvironment(wanted.env, PROXY_PORT, "/tmp"),
        // The relay is this program, which is the editor's where the host runs in one; the command does not get this.
        ELECTRON_RUN_AS_NODE: "1",
      },
    };
  }

  async #withSeatbelt(sandboxExec: string, wanted: CommandToSandbox, layout: SandboxLayout, { proxy, temp }: Own) {
    const port = await proxy.listen(0);
    const [npmrc] = layout.replaced;
    return {
      program: [sandboxExec, "-p", seatbeltProfile(layout, temp), "/bin/sh", "-c", wanted.command],
      options: undefined,
      env: {
        ...sandboxEnvironment(wanted.env, port ?? 0, temp),
        ...(npmrc === undefined ? {} : { npm_config_userconfig: npmrc.content }),
      },
    };
  }

  async #try(): Promise<SandboxState> {
    const mechanism = mechanismHere();
    if (mechanism === undefined) {
      const install = installCommand();
      return { ...unavailable(NO_MECHANISM), ...(install === undefined ? {} : { install }) };
    }
    const trial: CommandToSandbox = {
      command: "exit 42",
      cwd: "/",
      env: { PATH: process.env["PATH"] },
      roots: [],
      rules: { isHidden: () => false, isReadOnly: () => false, key: "" },
      hidden: [],
      allowedHosts: [],
    };
    const prepared = await this.prepare(trial, AbortSignal.timeout(TRIAL_TIMEOUT_MS));
    try {
      return await tryToRun(prepared, mechanism.kind);
    } finally {
      prepared.close();
    }
  }
}

async function tryToRun(
  { program, env, options }: SandboxedCommand,
  mechanism: Mechanism["kind"],
): Promise<SandboxState> {
  const [file = "", ...args] = program;
  const descriptor = options === undefined ? undefined : openSync(options, "r");
  const child = spawn(file, args, {
    env,
    stdio: ["ignore", "ignore", "pipe", "ignore", "pipe", descriptor ?? "ignore"],
    timeout: TRIAL_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  if (descriptor !== undefined) closeSync(descriptor);
  const [[code], errors] = await Promise.all([once(child, "close"), child.stderr === null ? "" : text(child.stderr)]);
  if (code === 42) return { available: true, mechanism };
  const [cause = ""] = errors.split("\n");
  return unavailable(`the sandbox cannot be started: ${cause === "" ? `its trial ended with ${code}` : cause}`);
}

const unavailable = (reason: string) => ({ available: false, reason }) as const;

const messageIn = (error: unknown): string => (error instanceof Error ? error.message : String(error));
