import { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { root } from "./root.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const noTests: Counts = { passed: 0, failed: 0, skipped: 0 };

export function sum(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The closing line that CI reads. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

export interface RunTestsOptions {
  /** How many files run at the same time. */
  readonly atOnce: number;
  /** How long one test or hook may take, in seconds. It then fails by its name. */
  readonly testLimit: number;
  /** How long one file may take, in seconds. After that its process is ended and the file fails, also in an endless loop. */
  readonly fileLimit: number;
  /** Seconds that a file's process has to end its own children before it is killed. */
  readonly grace?: number;
}

/** Runs test files with node:test, each in its own process, and shows results as they arrive. */
export async function runTests(files: readonly string[], options: RunTestsOptions): Promise<Counts> {
  if (files.length === 0) return noTests;
  let counts = noTests;
  using _ = endProcessesAfter(options.fileLimit, options.grace ?? 10);
  const events = run({
    files: files.map((file) => join(root, file)),
    concurrency: options.atOnce,
    execArgv: [`--test-timeout=${options.testLimit * 1000}`],
    cwd: root,
  });
  events.on("test:summary", ({ file, counts: all }) => {
    // There is one summary for each file, and one for all, which has no file.
    if (file !== undefined) return;
    counts = {
      passed: all.passed,
      failed: all.tests - all.passed - all.skipped - all.todo,
      skipped: all.skipped + all.todo,
    };
  });
  for await (const text of events.compose(spec)) process.stdout.write(text);
  return counts;
}

/**
 * Ends each process that is started from now on after `seconds`: with SIGTERM, so that it can end its children, and `grace`
 * seconds later with SIGKILL. The timeout of `run()` only sends SIGTERM, which an endless loop never handles.
 */
function endProcessesAfter(seconds: number, grace: number): Disposable {
  const timers = new Set<NodeJS.Timeout>();
  const started = (message: unknown): void => {
    if (typeof message !== "object" || message === null || !("process" in message)) return;
    const child = message.process;
    if (!(child instanceof ChildProcess)) return;
    const end = (signal: NodeJS.Signals): void => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    };
    const late = setTimeout(() => {
      console.error(`${relative(root, child.spawnargs.at(-1) ?? "")} took longer than ${seconds} s and is ended.`);
      end("SIGTERM");
      const stuck = setTimeout(end, grace * 1000, "SIGKILL");
      child.once("exit", () => clearTimeout(stuck));
    }, seconds * 1000);
    timers.add(late);
    child.once("exit", () => clearTimeout(late));
  };
  subscribe("child_process", started);
  return {
    [Symbol.dispose]: () => {
      unsubscribe("child_process", started);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
