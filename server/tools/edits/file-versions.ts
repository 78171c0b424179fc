import { stat } from "node:fs";
import { walk } from "../workspace/walk.ts";
import { locateAll, type Workspace } from "../workspace/workspace.ts";

/** In a larger workspace nothing is compared: each command would wait for it. */
const MAX_FILES = 20_000;
/** How many files are looked at together. */
const SLICE = 100;

/** The files of a workspace by their absolute paths, with what changes when they are written or replaced. */
export type FileVersions = ReadonlyMap<string, { readonly shown: string; readonly version: string }>;

export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
  readonly change: "created" | "changed" | "deleted";
  /** Where a created file was before: the same file, moved and not written. */
  readonly from?: { readonly path: string; readonly shown: string };
}

/**
 * The files of the workspace without those that `.gitignore` excludes, and links; undefined for a workspace of more than
 * 20,000 files. @throws the reason of `signal` when it is aborted.
 */
export async function fileVersions(workspace: Workspace, signal: AbortSignal): Promise<FileVersions | undefined> {
  const files: { readonly path: string; readonly shown: string }[] = [];
  if (workspace.roots().length === 0) return undefined;
  for (const place of await locateAll(workspace, undefined)) {
    for await (const { kind, path, shown } of walk(place, signal)) {
      if (kind !== "file" || workspace.files?.isOwn(path) === true) continue;
      if (files.length === MAX_FILES) return undefined;
      files.push({ path, shown });
    }
  }
  const versions = new Map<string, { readonly shown: string; readonly version: string }>();
  for (let at = 0; at < files.length; at += SLICE) {
    signal.throwIfAborted();
    const slice = files.slice(at, at + SLICE);
    const found = await Promise.all(slice.map(({ path }) => versionOf(path)));
    for (const [index, { path, shown }] of slice.entries()) {
      const version = found[index];
      if (version !== undefined) versions.set(path, { shown, version });
    }
  }
  return versions;
}

/**
 * Undefined for what is no file that can be read. By a callback: promises of the file system and integers of 64 bits take
 * about twice the processor's time, which counts with 20,000 files.
 */
export function versionOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    stat(path, (error, found) =>
      resolve(error === null ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeMs}` : undefined),
    );
  });
}

/** What is different after, sorted by path; a file that was moved once, by its new path. */
export function changedFiles(before: FileVersions, after: FileVersions): readonly ChangedFile[] {
  const changed: ChangedFile[] = [];
  const gone = new Map([...before].filter(([path]) => !after.has(path)));
  /** Where each file was that is gone from there: a version tells files apart, also with the same content. */
  const places = new Map([...gone].map(([path, { version }]) => [version, path]));
  for (const [path, { shown, version }] of after) {
    const was = before.get(path);
    if (was?.version === version) continue;
    const place = was === undefined ? places.get(version) : undefined;
    const from = place === undefined ? undefined : { path: place, shown: gone.get(place)?.shown ?? place };
    if (place !== undefined) gone.delete(place);
    const change = was === undefined ? "created" : "changed";
    changed.push({ path, shown, change, ...(from === undefined ? {} : { from }) });
  }
  for (const [path, { shown }] of gone) changed.push({ path, shown, change: "deleted" });
  return changed.sort((a, b) => (a.shown < b.shown ? -1 : 1));
}
