import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LockedPackage, type Lockfile, nameOf, unverified } from "./lockfile/lockfile.ts";
import { root } from "./root.ts";
import { runProcess } from "./run-process.ts";

/**
 * Run this after `npm install` from a registry that lacks some platforms' packages, such as a mirror: npm then omits these
 * from package-lock.json, and `npm ci` refuses a lock file without them. This adds them, each limited to its own platform,
 * and the integrity of each that the registry has: run it once more where the registry is complete.
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
let left = 0;
for (const place of unverified(lock)) {
  const entry = lock.packages[place];
  const integrity = entry?.version === undefined ? undefined : await integrityOf(nameOf(place), entry.version);
  if (integrity === undefined) left++;
  else lock.packages[place] = { ...entry, integrity };
}
const packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`);
console.log(`package-lock.json: ${Object.keys(packages).length - before} packages of other platforms added`);
if (left > 0) console.log(`${left} packages have no integrity: the registry does not have them`);

/** Undefined when the registry does not have the package. */
async function integrityOf(name: string, version: string): Promise<string | undefined> {
  const output = await runProcess("npm", ["view", `${name}@${version}`, "dist.integrity"]).catch(() => "");
  return output.trim() === "" ? undefined : output.trim();
}

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
