import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import pg from "pg";
import { runProcess } from "../../scripts/run-process.ts";
import { postgresPrograms } from "../../scripts/servers/postgres-programs.ts";
import { until } from "../editor/harness/until.ts";
import { DATABASE } from "../test-store.ts";
import { freePort } from "./free-port.ts";

/** The variable with the address of a server that several test files share. */
const SHARED = "GAVEL_TEST_POSTGRES";

/** A user without rights on Unix systems: PostgreSQL does not run as root. */
const UNPRIVILEGED = 65_534;

const KEEPER = new URL("./server-keeper.ts", import.meta.url).pathname;

/** A PostgreSQL server for tests, in a folder of its own. */
export class Postgres implements AsyncDisposable {
  readonly #folder: string;
  readonly #programs: string;
  readonly #password: string;
  readonly #port: number;
  #keeper: ChildProcess | undefined;

  private constructor(folder: string, programs: string, password: string, port: number) {
    this.#folder = folder;
    this.#programs = programs;
    this.#password = password;
    this.#port = port;
  }

  /** @throws one sentence that says what to install. */
  static async start(): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), "gavel-postgres-"));
    const programs = await programsFor(folder);
    const postgres = new Postgres(folder, programs, randomBytes(16).toString("hex"), await freePort());
    try {
      await postgres.#init();
      await postgres.#run();
      return postgres;
    } catch (error) {
      await postgres[Symbol.asyncDispose]();
      throw error;
    }
  }

  get url(): string {
    return `postgres://gavel:${this.#password}@127.0.0.1:${this.#port}/postgres`;
  }

  get port(): number {
    return this.#port;
  }

  /** Ends it as a crash does. */
  async crash(): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === undefined || keeper.exitCode !== null) return;
    const ended = once(keeper, "exit");
    keeper.stdin?.end();
    await ended;
  }

  /** Starts it again after a crash. */
  async restart(): Promise<void> {
    await this.crash();
    await this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crash();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #init(): Promise<void> {
    const isRoot = process.getuid?.() === 0;
    const password = join(this.#folder, "password");
    writeFileSync(password, this.#password);
    if (isRoot) for (const path of [this.#folder, password]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
    const options = [
      "--auth=scram-sha-256",
      `--pwfile=${password}`,
      "--encoding=UTF8",
      "--locale=C",
      "--data-checksums",
    ];
    const args = ["-D", join(this.#folder, "data"), "-U", "gavel", ...options];
    const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
    await runProcess(join(this.#programs, "initdb"), args, { timeout: 120_000, ...user });
  }

  async #run(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: this.#port,
      unix_socket_directories: "",
      max_connections: 300,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const user = process.getuid?.() === 0 ? [`uid=${UNPRIVILEGED}`] : [];
    const program = [join(this.#programs, "postgres"), "-D", join(this.#folder, "data"), ...args];
    const keeper = spawn(process.execPath, [KEEPER, ...user, ...program], { stdio: ["pipe", "ignore", "ignore"] });
    this.#keeper = keeper;
    await until("PostgreSQL accepts connections", async () => {
      if (keeper.exitCode !== null) throw new Error("PostgreSQL has ended.");
      await query(this.url, "SELECT 1");
      return true;
    });
  }
}

/** PostgreSQL's programs, where the user that runs them can read them: root's own folders are closed to it. */
async function programsFor(folder: string): Promise<string> {
  const programs = await postgresPrograms();
  if (process.getuid?.() !== 0 || programs.startsWith("/usr/")) return programs;
  const copy = join(folder, "programs");
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

/** Runs statements, and returns the rows of the last. */
export async function query(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result: unknown = await client.query(sql);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as pg.QueryResult).rows;
  } finally {
    await client.end();
  }
}

/** Starts the server that the test files of a step share. @returns a function that stops it; undefined without one. */
export async function sharePostgres(): Promise<(() => Promise<void>) | undefined> {
  try {
    const postgres = await Postgres.start();
    process.env[SHARED] = postgres.url;
    return async () => {
      delete process.env[SHARED];
      await postgres[Symbol.asyncDispose]();
    };
  } catch (error) {
    console.log(`The tests on PostgreSQL are left out: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Has the hosts of contract tests keep their teams in a new database while `work` runs, instead of in their folders. */
export async function withStoresOnPostgres<T>(work: () => Promise<T>): Promise<T> {
  const shared = process.env[SHARED];
  if (shared === undefined) throw new Error("There is no PostgreSQL for the tests.");
  await query(shared, "CREATE DATABASE gavel_suites");
  const url = new URL(shared);
  url.pathname = "/gavel_suites";
  process.env[DATABASE] = url.href;
  try {
    return await work();
  } finally {
    delete process.env[DATABASE];
  }
}

/** A PostgreSQL server of the test's own, which ends with it; skips the test where there is no program. */
export async function startPostgres(context: TestContext): Promise<Postgres | undefined> {
  if (process.env[SHARED] === undefined) {
    context.skip("There is no PostgreSQL for the tests.");
    return undefined;
  }
  const postgres = await Postgres.start();
  context.after(() => postgres[Symbol.asyncDispose]());
  return postgres;
}

let nth = 0;

/** The address of a new, empty database of the shared server, which the test drops; skips the test without a server. */
export async function emptyDatabase(context: TestContext): Promise<string | undefined> {
  const shared = process.env[SHARED];
  if (shared === undefined) {
    context.skip("There is no PostgreSQL for the tests.");
    return undefined;
  }
  const name = `gavel_${process.pid}_${nth++}`;
  await query(shared, `CREATE DATABASE ${name}`);
  context.after(() => query(shared, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return url.href;
}
