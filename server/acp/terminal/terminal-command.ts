import type { CreateTerminalRequest } from "@agentclientprotocol/sdk/unstable";

type WantedCommand = Pick<CreateTerminalRequest, "command" | "args" | "env">;

/**
 * The command of a terminal as one line for the system's shell: all of what runs, so that rules and users judge all of it. A
 * command without arguments is a line already; variables are set by the line. @throws Error with a sentence for the agent.
 */
export function terminalCommand({ command, args = [], env = [] }: WantedCommand, onWindows: boolean): string {
  const word = onWindows ? windowsWord : posixWord;
  const line = args.length === 0 ? command : [command, ...args].map(word).join(" ");
  const variables = env.map(({ name, value }) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error("The name of a variable must be a plain word.");
    return onWindows ? `set "${name}=${windowsText(value)}"` : `${name}=${posixWord(value)}`;
  });
  if (variables.length === 0) return line;
  return onWindows ? `${variables.join("&& ")}&& ${line}` : `export ${variables.join(" ")}; ${line}`;
}

export const posixWord = (word: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const windowsWord = (word: string): string =>
  /^[A-Za-z0-9_./:=@+,\\-]+$/.test(word) ? word : `"${windowsText(word)}"`;

/** cmd.exe has no quoting for these. */
function windowsText(text: string): string {
  if (/["%!^\r\n]|\\$/.test(text))
    throw new Error(`An argument or a variable has a character that cmd.exe cannot be given; put it into a file.`);
  return text;
}
