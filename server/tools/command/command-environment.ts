/** Variables of the editor: with these set, Node or an editor that a command starts would behave as part of this one. */
const EDITOR_INTERNAL =
  /^(?:ELECTRON|VSCODE)_|^(?:CHROME_DESKTOP|ORIGINAL_XDG_CURRENT_DESKTOP|NODE_CHANNEL_.*|FORCE_COLOR)$/i;

/** Secrets, which a model's command must not be able to print. */
const SECRET =
  /(?:^|_)(?:API_?KEYS?|ACCESS_KEY(?:_ID)?|PRIVATE_KEY|TOKEN|SECRET(?:_KEY)?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS)$/i;

/** The environment of a command: the host's, without the editor's internals and secrets, set up for non-interactive use. */
export function commandEnvironment(
  host: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(host).filter(([name]) => !EDITOR_INTERNAL.test(name) && !SECRET.test(name));
  return {
    ...Object.fromEntries(kept),
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    // Windows looks for a program in the current folder first, and a repository's git.bat is not git.
    NoDefaultCurrentDirectoryInExePath: "1",
  };
}
