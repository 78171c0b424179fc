import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FileEditor } from "../../tools/index.ts";
import type { MovedFile } from "../store/records/edit-journal.ts";
import type { NamedPath } from "../store/records/named-paths.ts";
import type { ChangeRecords } from "./change-records.ts";

/** A file or folder that the user has moved: absolute paths. */
export interface UserMove {
  readonly from: string;
  readonly to: string;
}

type Place = Awaited<ReturnType<FileEditor["locate"]>>;

/**
 * Takes what teams have changed in files along, once the user has moved these, or folders around them. A file that is still
 * where it was, that is not where it is said to be, or that has left the workspace, is left as it is.
 * @returns how many files that teams had changed were moved.
 * @throws GavelError `StorageError`.
 */
export async function followMoves(
  { edits, commandChanges }: ChangeRecords,
  editor: Pick<FileEditor, "locate">,
  moves: readonly UserMove[],
): Promise<number> {
  const located = await Promise.all(
    moves.map(({ from, to }) => Promise.all([from, to].map((path) => editor.locate(path).catch(() => undefined)))),
  );
  const known = new Map([...(await commandChanges.files()), ...(await edits.files())].map((file) => [file.path, file]));
  const moved: MovedFile[] = [];
  for (const file of known.values()) {
    const { path, shown } = afterMoves(file, located);
    if (path === file.path || (await isAt(file.path)) || !(await isAt(path))) continue;
    moved.push({ from: file.path, path, shown });
  }
  const ordered = inOrder(moved);
  await edits.moved(ordered);
  await commandChanges.moved(ordered);
  return ordered.length;
}

/** Where a file is after all moves, in their order. */
function afterMoves(file: NamedPath, moves: readonly (readonly (Place | undefined)[])[]): NamedPath {
  let now = file;
  for (const [from, to] of moves) {
    if (from === undefined || to === undefined) continue;
    const { path } = now;
    if (path !== from.path && !path.startsWith(`${from.path}${sep}`)) continue;
    const rest = path.slice(from.path.length);
    const target = rest === "" ? to.path : join(to.path, rest);
    now = { path: target, shown: nameAt(target, now) ?? `${to.shown}${rest.replaceAll(sep, "/")}` };
  }
  return now;
}

/** The name of a path below the folder from which the other one is named. */
function nameAt(target: string, { path, shown }: NamedPath): string | undefined {
  const name = shown.replaceAll("/", sep);
  const base = path.endsWith(`${sep}${name}`) ? path.slice(0, -name.length) : undefined;
  return base !== undefined && target.startsWith(base) ? target.slice(base.length).replaceAll(sep, "/") : undefined;
}

/** A file that takes the place of another one comes after that. Files that have changed places are left out. */
function inOrder(moves: readonly MovedFile[]): readonly MovedFile[] {
  const ordered: MovedFile[] = [];
  const left = new Set(moves);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const move of left) {
      if ([...left].some((other) => other !== move && other.from === move.path)) continue;
      ordered.push(move);
      left.delete(move);
    }
  }
  return ordered;
}

/** Whether something is at exactly this path: letters of another case are another path, and so is a link to it. */
async function isAt(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => undefined)) === path;
}
