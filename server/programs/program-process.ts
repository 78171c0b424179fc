import { type ChildProcess, spawnSync } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { type Program, startProgram } from "./start-program.ts";

const onWindows = process.platform === "win32";

/** How long a program has to end by itself once its input is closed, and how long after SIGTERM, in milliseconds. */
const END_MS = 1_000;
/** How much of the end of what a program writes to its error output is kept, in characters. */
const KEPT_ERRORS = 4_000;

/** On Windows, where no watchdog ends them with the host. */
const running = new Set<ProgramProcess>();
if (onWindows)
  process.once("exit", () => {
    for (const program of running) program.killNow();
  });

/** A program that runs, such as an agent or a server, with every process that it starts. */
export class ProgramProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the program has ended, with how, as the rest of a sentence. Never rejects. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #errors = "";
  #isStopping = false;
  #isKilled = false;

  /** `onErrorLine` gets each line that the program writes to its error output, without colours and control characters. */
  constructor(program: Program, onErrorLine: (line: string) => void = () => {}) {
    const child = startProgram(program);
    const [input, output, errors, lifeline] = child.stdio;
    if (!input || !output || !errors) throw new Error("The program has no pipes.");
    if (lifeline instanceof Socket) lifeline.unref();
    this.#child = child;
    this.input = input;
    this.output = output;
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    errors.setEncoding("utf8").on("data", (text: string) => this.#addErrors(text, onErrorLine));
    // The watchdog holds the other end: without this, the pipes would never all be closed.
    child.once("exit", () => lifeline?.destroy());
    this.ended = new Promise((resolve) => {
      // What it wrote last is read by then.
      child.once("close", (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `ended by ${signal}`),
      );
      child.once("error", (error) => resolve(`could not be started (${error.message})`));
    });
    running.add(this);
    void this.ended.then(() => {
      this.killNow();
      running.delete(this);
    });
  }

  /** The last line of its error output that is not empty, without control characters; undefined for none. */
  get lastError(): string | undefined {
    return this.#errors
      .split("\n")
      .map(plainLine)
      .findLast((line) => line !== "")
      ?.slice(0, 300);
  }

  /**
   * Closes its input, and ends it and all that it has started if they do not end by themselves within `patience`, in
   * milliseconds. Resolves when it has ended.
   */
  async stop(patience = END_MS): Promise<void> {
    const { pid } = this.#child;
    if (!this.#isStopping && !this.#isKilled && pid !== undefined) {
      this.#isStopping = true;
      this.input.end();
      const end = (): void => {
        if (!onWindows && !this.#isKilled) signalGroup(pid, "SIGTERM");
      };
      if (patience === 0) end();
      const timers = [setTimeout(end, patience), setTimeout(() => this.killNow(), patience + (onWindows ? 0 : END_MS))];
      // Unreferenced: the group of a host that exits sooner is killed then.
      for (const timer of timers) timer.unref();
      await this.ended;
      for (const timer of timers) clearTimeout(timer);
    }
    await this.ended;
  }

  /** Kills the program and all that it has started. */
  killNow(): void {
    const { pid } = this.#child;
    // Only once: the system may reuse the id of a group that no longer exists.
    if (this.#isKilled || pid === undefined) return;
    this.#isKilled = true;
    if (!onWindows) signalGroup(pid, "SIGKILL");
    else if (this.#child.exitCode === null)
      spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  #addErrors(text: string, onLine: (line: string) => void): void {
    const before = this.#errors.slice(this.#errors.lastIndexOf("\n") + 1);
    this.#errors = (this.#errors + text).slice(-KEPT_ERRORS);
    for (const line of `${before}${text}`.slice(-KEPT_ERRORS).split("\n").slice(0, -1).map(plainLine)) {
      if (line !== "") onLine(line);
    }
  }
}

/** Without colours and control characters, which could write over other lines. */
export const plainLine = (line: string): string => line.replace(/\p{C}\[[0-9;?]*[A-Za-z]|\p{C}/gu, "").trim();

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group no longer exists.
  }
}
