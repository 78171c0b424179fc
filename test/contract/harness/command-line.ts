import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { root } from "../../../scripts/root.ts";
import { Scratch } from "./scratch.ts";

/** The command line under test: the built one. */
export const CLI = join(root, "dist", "cli.js");

/** Ends a process of a test that hangs, in milliseconds. */
const LIMIT = 200_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A folder with team files, and a user of the command line who has a home of their own. */
export class CommandLine implements Disposable {
  readonly #scratch = new Scratch();
  readonly folder = join(this.#scratch.path, "project");
  readonly home = join(this.#scratch.path, "home");

  constructor(files: Readonly<Record<string, unknown>> = {}) {
    mkdirSync(this.folder);
    mkdirSync(this.home);
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(this.folder, name), typeof content === "string" ? content : JSON.stringify(content));
    }
  }

  /** Runs `gavel` with these arguments until it ends. */
  async run(args: readonly string[], { input = "", variables = {} }: RunOptions = {}): Promise<Ended> {
    const child = this.start(args, variables);
    child.stdin.on("error", () => undefined).end(input);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code, stdout, stderr };
  }

  start(args: readonly string[], variables: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [CLI, ...args], {
      cwd: this.folder,
      env: { ...this.environment, ...variables },
      stdio: "pipe",
      timeout: LIMIT,
      killSignal: "SIGKILL",
    });
  }

  /** Runs `gavel` in a terminal of that many columns. */
  inTerminal(args: readonly string[], columns = 80): TerminalRun {
    return TerminalRun.start(args, { folder: this.folder, environment: this.environment, columns });
  }

  get environment(): NodeJS.ProcessEnv {
    const { OPENAI_API_KEY, NO_COLOR, ...inherited } = process.env;
    return { ...inherited, HOME: this.home, XDG_DATA_HOME: this.home, LOCALAPPDATA: this.home, USERPROFILE: this.home };
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }
}

const quoted = (word: string): string => (word === "exec" ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Why there is no terminal to test with, if there is none: `script` of util-linux makes one. */
export const noTerminal: string | false =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0
    ? false
    : "needs script(1) of util-linux, which makes a terminal";

/** A command in a terminal: what it shows, and the keys that are pressed. */
export class TerminalRun {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  /** Everything that it has written, escapes included. */
  raw = "";
  #grown = Promise.withResolvers<void>();

  /** Runs `gavel` with these arguments in a terminal of that many columns. */
  static start(
    args: readonly string[],
    { folder, environment, columns = 80 }: { folder: string; environment: NodeJS.ProcessEnv; columns?: number },
  ): TerminalRun {
    const command = ["exec", process.execPath, CLI, ...args].map(quoted).join(" ");
    const child = spawn("script", ["-qfec", `stty cols ${columns} rows 40; ${command}`, "/dev/null"], {
      cwd: folder,
      env: { ...environment, TERM: "xterm-256color", SHELL: "/bin/sh" },
      stdio: "pipe",
      timeout: LIMIT,
      killSignal: "SIGKILL",
    });
    return new TerminalRun(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, "close").then(([code]) => code);
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      this.raw += part;
      this.#grown.resolve();
      this.#grown = Promise.withResolvers();
    });
    void this.#exited.then(() => this.#grown.resolve());
  }

  /** What it has written without escapes, with a line for each time that it wrote one again; from that character on. */
  shown(from = 0): string {
    return stripVTControlCharacters(this.raw)
      .replaceAll(/\r+\n?/g, "\n")
      .slice(from);
  }

  /** Resolves when that text was shown after `from`; returns where it ends. @throws Error when the command ends before. */
  async until(wanted: string, from = 0): Promise<number> {
    let hasExited = false;
    void this.#exited.then(() => {
      hasExited = true;
    });
    for (;;) {
      const at = this.shown().indexOf(wanted, from);
      if (at !== -1) return at + wanted.length;
      if (hasExited) throw new Error(`It ended without showing ${JSON.stringify(wanted)}:\n${this.shown()}`);
      await this.#grown.promise;
    }
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** The exit code. */
  exited(): Promise<number | null> {
    return this.#exited;
  }
}
