/**
 * The built-in tools whose names a client or a definition cannot use. Newer tools give way to a tool of their name that a
 * client has registered, as it did that before they existed.
 */
export const FIRST_TOOLS: ReadonlySet<string> = new Set([
  "readFile",
  "listFiles",
  "searchText",
  "editFile",
  "writeFile",
  "runCommand",
]);
