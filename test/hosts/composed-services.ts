import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { root } from "../../scripts/root.ts";
import { runProcess } from "../../scripts/run-process.ts";
import { DEPLOY, type Service, service } from "./compose-file.ts";

/** Folders of a container, which each service has apart, below a folder of the test. */
const OWN = /\/(run\/secrets|run\/postgresql|etc\/nats|etc\/postgresql|var\/lib\/gavel)(?=\/|$|["?&])/g;

/** Ends a process of a test that hangs, in milliseconds. */
const LIMIT = 200_000;

/** A command that has ended. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of a service, with what it writes. */
export interface Running {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** What it has written to its standard output until now. */
  readonly written: () => string;
  readonly ended: Promise<Ended>;
}

/**
 * The services of compose.yaml as processes: the commands, the environment, the mounted files and the secrets are those of
 * the file, and each service has its own folders. Only what a container does is done by the test: paths and addresses.
 */
export class ComposedServices implements AsyncDisposable {
  readonly secrets: string;
  /** The files of the example, which all services have at the same place. */
  readonly work: string;
  readonly #folder: string;
  readonly #running: Running[] = [];
  /** By the address in the file. */
  readonly #addresses = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.secrets = join(folder, "secrets");
    this.work = join(folder, "work");
    this.#makeImage();
    cpSync(join(DEPLOY, "example"), this.work, { recursive: true });
  }

  /** Makes the secrets as the user does. */
  async makeSecrets(): Promise<void> {
    await runProcess("sh", [join(DEPLOY, "make-secrets.sh")], { env: { GAVEL_SECRETS: this.secrets } });
  }

  /** Where an address of the file is in this test. */
  put(address: string, at: string): void {
    this.#addresses.set(address, at);
  }

  /** The files of a service: its secrets, and what is mounted. `others` are addresses of this service alone. */
  prepare(name: string, others: ReadonlyMap<string, string> = new Map()): (text: string) => string {
    const own = join(this.#folder, name);
    const addresses = [...this.#addresses, ...others];
    const placed = (text: string): string =>
      addresses
        .reduce((all, [from, to]) => all.replaceAll(from, to), text)
        .replaceAll(OWN, (path) => join(own, path))
        .replaceAll(/\/teams(?=\/|$)/g, this.work);
    const { secrets, volumes } = service(name);
    const files = [
      ...secrets.map(({ source, target }) => [join(this.secrets, source), target] as const),
      ...mounts(volumes).filter(([from]) => statSync(from).isFile()),
    ];
    for (const [from, to] of files) {
      const path = join(own, to);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, placed(readFileSync(from, "utf8")), { mode: statSync(from).mode });
    }
    return placed;
  }

  /** Starts the command of a service, or another one in its container. */
  start(name: string, placed: (text: string) => string, command = service(name).command): Running {
    return this.#spawn(name, command.map(placed), variablesOf(service(name), placed));
  }

  /** Runs a command in the container of a service, as `docker compose exec` does. */
  async exec(name: string, placed: (text: string) => string, command: readonly string[]): Promise<Ended> {
    return await this.#spawn(name, command, variablesOf(service(name), placed)).ended;
  }

  /** Runs a command on another computer. */
  async elsewhere(command: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ended> {
    return await this.#spawn("elsewhere", command, variables).ended;
  }

  #spawn(name: string, command: readonly string[], variables: Readonly<Record<string, string>>): Running {
    const [program, ...args] = command;
    if (program !== "gavel") throw new Error(`${program} is not of the image.`);
    const data = join(this.#folder, name, "var/lib/gavel");
    mkdirSync(data, { recursive: true });
    const child = spawn(process.execPath, [join(this.#folder, "opt/gavel/dist/cli.js"), ...args], {
      cwd: this.work,
      // As in the image: of this process it has what finds programs alone.
      env: { PATH: process.env["PATH"], HOME: data, XDG_DATA_HOME: data, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LIMIT,
      killSignal: "SIGKILL",
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = once(child, "close").then(([code]): Ended => ({ code, stdout, stderr }));
    const running = { process: child, written: () => stdout, ended };
    this.#running.push(running);
    return running;
  }

  /** What the image has. */
  #makeImage(): void {
    const image = join(this.#folder, "opt/gavel");
    mkdirSync(join(image, "dist"), { recursive: true });
    cpSync(join(root, "package.json"), join(image, "package.json"));
    for (const file of readdirSync(join(root, "dist"))) {
      if (/^client|\.map$|^webview$|\.vsix/.test(file)) continue;
      cpSync(join(root, "dist", file), join(image, "dist", basename(file)));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { process: child } of this.#running) child.kill("SIGKILL");
    await Promise.all(this.#running.map(({ ended }) => ended));
  }
}

/** The files and folders of the repository that are mounted, and where. */
const mounts = (volumes: readonly string[]): (readonly [string, string])[] =>
  volumes
    .filter((volume) => volume.startsWith("./"))
    .map((volume) => {
      const [from = "", to = ""] = volume.split(":");
      return [join(DEPLOY, from), to] as const;
    });

const variablesOf = ({ environment }: Service, placed: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, placed(value)]));
