import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WorkerOptions } from "../arguments/parse.ts";
import { HostError } from "../host/host-errors.ts";
import { linkAddress } from "../host/keys.ts";

/**
 * `gavel worker`: runs a worker until it is ended; the worker ends with this process, however that ends. The address of the
 * link and the keys are in its environment, or in the files that this names, which the worker itself reads.
 */
export async function workerCommand({ link, participants, workerName }: WorkerOptions): Promise<number> {
  const { GAVEL_LINK_FILE: linkFile = "", ...variables } = process.env;
  if (link === undefined && linkAddress(variables) === undefined && linkFile === "")
    throw new HostError(
      "A worker needs a link: set GAVEL_LINK to the address of a NATS server, or GAVEL_LINK_FILE to a file with it, or give --link.",
    );
  const program = join(import.meta.dirname, "worker.js");
  if (!existsSync(program)) throw new HostError(`${program} is missing; build Gavel with "npm run build".`);
  const name = workerName === undefined ? [] : ["--name", workerName];
  const child = spawn(
    process.execPath,
    [program, "--participants", resolve(participants), "--ends-with-input", ...name],
    {
      // The standard input is open as long as this process runs.
      stdio: ["pipe", "inherit", "inherit"],
      env: link === undefined ? process.env : { ...variables, GAVEL_LINK: link },
      // Ctrl+C in a terminal goes to this process alone, which passes it on.
      detached: process.platform !== "win32",
      windowsHide: true,
    },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}
