import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** What makes a sandbox. */
export type Mechanism = { readonly kind: "bubblewrap" | "seatbelt"; readonly program: string };

/** Why there is no sandbox where there is no mechanism, as a clause. */
export const NO_MECHANISM =
  process.platform === "linux"
    ? "bubblewrap is not installed; install the package bubblewrap"
    : `Gavel has no sandbox for ${process.platform}`;

/** The program that makes a sandbox here. Only absolute folders of PATH count, so that no repository supplies it. */
export function mechanismHere(): Mechanism | undefined {
  if (process.platform === "darwin") return { kind: "seatbelt", program: "/usr/bin/sandbox-exec" };
  if (process.platform !== "linux") return undefined;
  const program = programOnPath("bwrap");
  return program === undefined ? undefined : { kind: "bubblewrap", program };
}

function programOnPath(name: string): string | undefined {
  const folders = ["/usr/bin", "/usr/local/bin", ...(process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute)];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** How the package managers of Linux distributions install a package. */
const INSTALLERS = [
  ["apt-get", "apt-get install"],
  ["dnf", "dnf install"],
  ["pacman", "pacman -S"],
  ["zypper", "zypper install"],
  ["apk", "apk add"],
] as const;

/** The shell command that installs bubblewrap, where its package manager is known. */
export function installCommand(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const [, install] = INSTALLERS.find(([program]) => programOnPath(program) !== undefined) ?? [];
  if (install === undefined) return undefined;
  return `${process.getuid?.() === 0 ? "" : "sudo "}${install} bubblewrap`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
