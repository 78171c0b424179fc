/** What an HTTP server's requests are sent with. */
export type McpFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The variables that a server gets unless its file names more: those of the protocol's own SDK. */
const NAMES =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROGRAMFILES(X86)",
        "PROGRAMW6432",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR"];

export function serverEnvironment(): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name];
      // What begins so is a function that a shell would define.
      return value === undefined || value.startsWith("()") ? [] : [[name, value]];
    }),
  );
}
