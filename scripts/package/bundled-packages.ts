import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundles, esbuildOptions } from "../../esbuild.mjs";
import { root } from "../root.ts";

/** A package with files in a bundle, and its licence. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json says, such as `MIT`. */
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[];
}

/** The packages that esbuild put into the bundles, by name. @throws Error when one of them has no licence. */
export async function bundledPackages(): Promise<BundledPackage[]> {
  const built = await Promise.all(bundles.map((bundle) => build({ ...esbuildOptions(bundle), write: false })));
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  const folders = [...new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined))].sort();
  return folders.map((folder) => readPackage(join(root, folder)));
}

/** The folder of the package that a file belongs to; undefined for a source of this project. */
export function packageFolder(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** @throws Error when the package names no licence, or has its text in no file and no section of its README. */
export function readPackage(folder: string): BundledPackage {
  const { name, version, license }: { name: string; version: string; license?: unknown } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  if (typeof license !== "string") throw new Error(`${name} is in a bundle and names no licence in its package.json.`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|third-?party)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  const section = texts.length === 0 ? licenceSection(folder) : undefined;
  if (section !== undefined) texts.push(section);
  if (texts.length === 0) throw new Error(`${name} is in a bundle and has no licence text.`);
  return { name, version, license, texts };
}

/** The section of the README that says under which licence it is; undefined without a copyright notice in it. */
function licenceSection(folder: string): string | undefined {
  const readme = readdirSync(folder).find((file) => /^readme\.md$/i.test(file));
  if (readme === undefined) return undefined;
  const sections = readFileSync(join(folder, readme), "utf8").split(/^#+ */m);
  const section = sections.find((text) => /^licen[cs]e\b/i.test(text));
  return section?.includes("Copyright") === true ? section.slice(section.indexOf("\n")).trim() : undefined;
}
