import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type * as z from "zod";

/** A process of the benchmarks, started from a script in this folder. It ends when `stop` is called, or with its parent. */
export class Child {
  readonly #process: ChildProcess;
  #stderr = "";
  #over = false;

  constructor(script: string, args: readonly string[] = [], nodeOptions: readonly string[] = []) {
    this.#process = fork(fileURLToPath(new URL(script, import.meta.url)), [...args], {
      execArgv: [...nodeOptions],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...process.env, OPENAI_API_KEY: "none" },
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4000);
    });
    this.#process.on("close", () => {
      this.#over = true;
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#process.on("message", listener);
  }

  /** The next message that fits the schema. @throws what the process wrote to stderr, when it ends before. */
  next<T extends z.ZodType>(schema: T): Promise<z.infer<T>> {
    return new Promise((resolve, reject) => {
      if (this.#over) {
        reject(new Error(errorLine(this.#stderr)));
        return;
      }
      const take = (message: unknown): void => {
        const parsed = schema.safeParse(message);
        if (!parsed.success) return;
        done();
        resolve(parsed.data);
      };
      const ended = (): void => {
        done();
        reject(new Error(errorLine(this.#stderr)));
      };
      const done = (): void => {
        this.#process.off("message", take).off("close", ended);
      };
      this.#process.on("message", take).on("close", ended);
    });
  }

  ask<T extends z.ZodType>(question: object, schema: T): Promise<z.infer<T>> {
    const answer = this.next(schema);
    if (this.#process.connected) this.#process.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#over) return;
    // Node emits no "close" for a process that this side disconnected from.
    const exited = once(this.#process, "exit");
    if (this.#process.connected) this.#process.disconnect();
    const late = setTimeout(() => this.#process.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(late);
  }
}

/** The error line in what Node printed before it ended. */
function errorLine(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "The process ended without a message.";
}
