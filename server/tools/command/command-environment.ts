/** The editor's own: with these set, a command that starts Node or an editor would behave as a part of this one. */
const EDITOR = /^(?:ELECTRON|VSCODE)_|^(?:CHROME_DESKTOP|ORIGINAL_XDG_CURRENT_DESKTOP|NODE_CHANNEL_.*|FORCE_COLOR)$/i;

/** What a command that a model wrote has no business to read, and its output would carry to the model. */
const SECRET =
  /(?:^|_)(?:API_?KEYS?|ACCESS_KEY(?:_ID)?|PRIVATE_KEY|TOKEN|SECRET(?:_KEY)?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS)$/i;

/** The environment of a command: that of the host without the editor's internals and secrets, and told that nobody can answer it. */
export function commandEnvironment(
  host: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(host).filter(([name]) => !EDITOR.test(name) && !SECRET.test(name));
  return {
    ...Object.fromEntries(kept),
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    // Windows looks for a program in the current folder first: a repository's git.bat is not git.
    NoDefaultCurrentDirectoryInExePath: "1",
  };
}
