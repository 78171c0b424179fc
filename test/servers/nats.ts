import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import { natsProgram } from "../../scripts/servers/nats-program.ts";
import { until } from "../editor/harness/until.ts";
import { freePort } from "./free-port.ts";

/** The variable with the path of the program, for the test files of a step. */
const PROGRAM = "GAVEL_TEST_NATS";

/** The variable with the link for turns of a host's own assistants. */
const LOOPBACK = "GAVEL_LINK_LOOPBACK";

const KEEPER = new URL("./server-keeper.ts", import.meta.url).pathname;

interface NatsUrl {
  readonly scheme?: string;
  readonly silence?: number;
  /** That of a proxy. */
  readonly port?: number;
}

/** A NATS server for tests, with a user and a password. */
export class Nats implements AsyncDisposable {
  readonly port: number;
  readonly #program: string;
  readonly #password = randomBytes(16).toString("hex");
  readonly #options: readonly string[];
  #keeper: ChildProcess | undefined;

  private constructor(program: string, port: number, options: readonly string[]) {
    this.#program = program;
    this.port = port;
    this.#options = options;
  }

  /** `options` are further ones of the program, such as those for TLS. */
  static async start(program: string, options: readonly string[] = []): Promise<Nats> {
    const nats = new Nats(program, await freePort(), options);
    await nats.restart();
    return nats;
  }

  /**
   * Its address for Gavel. `silence` is in seconds: a loaded machine must not have one process count another as lost, unless
   * that is the test.
   */
  url({ scheme = "nats", silence = 120, port = this.port }: NatsUrl = {}): string {
    return `${scheme}://gavel:${this.#password}@127.0.0.1:${port}?silence=${silence}`;
  }

  /** Ends it as a crash does. */
  async crash(): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === undefined || keeper.exitCode !== null) return;
    const ended = once(keeper, "exit");
    keeper.stdin?.end();
    await ended;
  }

  /** Starts it, again after a crash. */
  async restart(): Promise<void> {
    await this.crash();
    const args = [
      "-a",
      "127.0.0.1",
      "-p",
      `${this.port}`,
      "--user",
      "gavel",
      "--pass",
      this.#password,
      ...this.#options,
    ];
    const keeper = spawn(process.execPath, [KEEPER, this.#program, ...args], { stdio: ["pipe", "ignore", "ignore"] });
    this.#keeper = keeper;
    await until("NATS accepts connections", async () => {
      if (keeper.exitCode !== null) throw new Error("NATS has ended.");
      return (await accepts(this.port)) || undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crash();
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "data");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Finds or installs the program for the test files of a step. @returns what to call at its end; undefined without one. */
export async function shareNats(): Promise<(() => Promise<void>) | undefined> {
  try {
    process.env[PROGRAM] = await natsProgram();
    return async () => {
      delete process.env[PROGRAM];
    };
  } catch (error) {
    console.log(`The tests on NATS are left out: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Has the turns of assistants go over a link and back in the hosts of contract tests, while `work` runs. */
export async function withTurnsOnLink<T>(work: () => Promise<T>): Promise<T> {
  const program = process.env[PROGRAM];
  if (program === undefined) throw new Error("There is no NATS server for the tests.");
  await using nats = await Nats.start(program);
  process.env[LOOPBACK] = nats.url();
  try {
    return await work();
  } finally {
    delete process.env[LOOPBACK];
  }
}

/** A NATS server of the test's own, which ends with it; skips the test where there is no program. */
export async function startNats(context: TestContext, options?: readonly string[]): Promise<Nats | undefined> {
  const program = process.env[PROGRAM];
  if (program === undefined) {
    context.skip("There is no NATS server for the tests.");
    return undefined;
  }
  const nats = await Nats.start(program, options);
  context.after(() => nats[Symbol.asyncDispose]());
  return nats;
}
