/** The tools that work without an editor. */
export const WORKER_TOOLS: readonly string[] = [
  "readFile",
  "listFiles",
  "searchText",
  "editFile",
  "writeFile",
  "applyPatch",
  "runCommand",
];
