import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { root } from "../../scripts/root.ts";
import { Scratch } from "../contract/harness/scratch.ts";

const WORKER = join(root, "dist", "worker.js");

export interface WorkerSetup {
  readonly link: string;
  readonly name?: string;
  /** The content of its file. */
  readonly file: Readonly<Record<string, unknown>>;
  /** The files of its folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A worker, as "gavel worker" starts it, with a folder of its own. */
export class WorkerProcess implements AsyncDisposable {
  readonly folder: string;
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** What it has written to its standard error. */
  errors = "";
  readonly #scratch: Scratch;

  private constructor({ link, name = "gpu", file, files = {}, variables = {} }: WorkerSetup) {
    this.#scratch = new Scratch();
    this.folder = join(this.#scratch.path, "work");
    mkdirSync(this.folder);
    for (const [path, content] of Object.entries(files)) writeFileSync(join(this.folder, path), content);
    const path = join(this.#scratch.path, "worker.yaml");
    writeFileSync(path, JSON.stringify({ folder: "work", ...file }));
    this.process = spawn(process.execPath, [WORKER, "--participants", path, "--name", name], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, GAVEL_LINK: link, ...variables },
    });
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.errors += text;
    });
  }

  /** Resolves when it is on the link. @throws Error with what it wrote if it ends before. */
  static async start(setup: WorkerSetup): Promise<WorkerProcess> {
    const worker = new WorkerProcess(setup);
    const ended = once(worker.process, "close").then(() => Promise.reject(new Error(worker.errors)));
    const lines = createInterface({ input: worker.process.stdout });
    await Promise.race([once(lines, "line"), ended]);
    ended.catch(() => {});
    return worker;
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    const { process: child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#scratch[Symbol.dispose]();
  }
}
