import type { Violation } from "./areas.ts";
import { type FileImports, resolveImport } from "./imports.ts";

/** The subfolders of each folder, lowest first: a subfolder may import itself and those before it (docs/ARCHITECTURE.md). */
export type FolderOrders = Readonly<Record<string, readonly string[]>>;

/** The imports that go up the order, and the first import of each subfolder that no order names. */
export function orderViolations(files: readonly FileImports[], orders: FolderOrders): Violation[] {
  return Object.entries(orders).flatMap(([folder, order]) => violationsIn(files, folder, order));
}

function violationsIn(files: readonly FileImports[], folder: string, order: readonly string[]): Violation[] {
  return files.flatMap(({ file, imports }) => {
    const from = subfolderOf(folder, file);
    if (from === undefined) return [];
    if (!order.includes(from)) {
      const rule = `${folder}/${from}/ has no place in the order of folders; give it one in scripts/check-structure.ts.`;
      return [{ file, line: 1, imported: "", rule }];
    }
    return imports.flatMap(({ specifier, line }) => {
      const target = resolveImport(file, specifier);
      const to = target === undefined ? undefined : subfolderOf(folder, target);
      if (to === undefined || order.indexOf(to) <= order.indexOf(from)) return [];
      return [
        { file, line, imported: specifier, rule: `In ${folder}/, ${from}/ is below ${to}/ and must not import it.` },
      ];
    });
  });
}

/** The subfolder of `folder` that a path lies in; undefined for a file directly in it, or outside. */
function subfolderOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [first, ...rest] = path.slice(folder.length + 1).split("/");
  return rest.length === 0 ? undefined : first;
}
