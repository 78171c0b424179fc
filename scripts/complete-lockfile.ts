import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/** The part of package-lock.json that is read here. */
interface Lockfile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Run this after `npm install` from a registry that lacks some platforms' packages, such as a mirror: npm then omits these
 * from package-lock.json, and `npm ci` refuses a lock file without them. This adds them, each limited to its own platform.
 */
const file = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8")) as Lockfile;
const before = Object.keys(lock.packages).length;
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const platform = platformOf(name);
    if (platform !== undefined) lock.packages[`node_modules/${name}`] ??= missing(owner, version, platform);
  }
}
const packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`);
console.log(`package-lock.json: ${Object.keys(packages).length - before} packages of other platforms added`);

type Platform = Pick<LockedPackage, "os" | "cpu" | "libc">;

function missing(owner: LockedPackage, version: string, platform: Platform): LockedPackage {
  return { version, ...(owner.dev === true ? { dev: true } : {}), optional: true, ...platform };
}

/** The platform in a package's name, as in @biomejs/cli-linux-x64-musl. */
function platformOf(name: string): Platform | undefined {
  const words = name.split(/[/-]/);
  const os = words.find((word) =>
    ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"].includes(
      word,
    ),
  );
  const cpu = words.find((word) => /^(arm|arm64|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)$/.test(word));
  if (os === undefined || cpu === undefined) return undefined;
  const libc = words.includes("musl") ? "musl" : os === "linux" ? "glibc" : undefined;
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
}
