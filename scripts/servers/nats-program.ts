import { existsSync } from "node:fs";
import { findOnPath } from "../editor/find-program.ts";
import { withProgress } from "../editor/progress.ts";
import { runProcess } from "../run-process.ts";

const NAMES = ["nats-server"];
/** Where Debian has it, which is not on the PATH of every user. */
const DEBIAN = "/usr/sbin/nats-server";

/**
 * The path of a NATS server: an installed one, else Debian's package (installed when running as root). npm has none.
 * @throws one sentence that says what to install.
 */
export async function natsProgram(): Promise<string> {
  const found = installed() ?? (await debianPackage());
  if (found === undefined)
    throw new Error("There is no NATS server; install nats-server 2.9 or later, and put it on the PATH.");
  return found;
}

const installed = (): string | undefined => findOnPath(NAMES) ?? (existsSync(DEBIAN) ? DEBIAN : undefined);

async function debianPackage(): Promise<string | undefined> {
  const aptGet = existsSync("/etc/debian_version") ? findOnPath(["apt-get"]) : undefined;
  if (aptGet === undefined || process.getuid?.() !== 0) return undefined;
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, timeout: 10 * 60_000 };
  await withProgress("Installing NATS (nats-server) with apt-get", async () => {
    await runProcess(aptGet, ["update"], options);
    const quietly = ["-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    await runProcess(aptGet, ["install", ...quietly, "nats-server"], options);
  });
  return installed();
}
