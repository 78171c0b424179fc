import { signal } from "@preact/signals";
import type { FileTarget } from "../../common/page-messages.ts";
import { post } from "./editor-bridge.ts";
import { FrameQueue } from "./frame-queue.ts";

/** The most paths in one question; the extension accepts no more. */
const AT_ONCE = 200;

/** What the extension has said about paths, by path: a new map whenever more, or less, is known. */
export const knownFiles = signal<ReadonlyMap<string, FileTarget>>(new Map());

/** The paths that the extension was asked about and has not answered. */
const asked = new Set<string>();

const questions = new FrameQueue<string>((paths) => {
  for (let first = 0; first < paths.length; first += AT_ONCE) {
    post({ type: "findFiles", paths: paths.slice(first, first + AT_ONCE) });
  }
});

/** What a path names; undefined until the extension has said so, which it is asked to do. */
export function fileTarget(path: string): FileTarget | undefined {
  const known = knownFiles.value.get(path);
  if (known !== undefined || asked.has(path)) return known;
  asked.add(path);
  questions.push(path);
  return undefined;
}

export function filesFound(files: readonly FileTarget[]): void {
  for (const { path } of files) asked.delete(path);
  knownFiles.value = new Map([...knownFiles.value, ...files.map((file) => [file.path, file] as const)]);
}

/** Forgets which files are missing, so that they are asked for again where they are shown. */
export function forgetMissingFiles(): void {
  const there = [...knownFiles.value].filter(([, { kind }]) => kind !== "missing");
  if (there.length < knownFiles.value.size) knownFiles.value = new Map(there);
}

export function forgetFiles(): void {
  asked.clear();
  if (knownFiles.value.size > 0) knownFiles.value = new Map();
}
