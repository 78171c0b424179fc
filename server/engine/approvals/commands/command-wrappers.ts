import { findProgram } from "../option-tables/find-program.ts";
import { dynamicWord, type ShellWord } from "../shell/shell-word.ts";
import { commandName } from "./command-name.ts";

/** What a wrapper (a command that runs other commands) runs. */
export interface WrappedCommands {
  /** The commands that it runs, as words. */
  readonly commands?: readonly (readonly ShellWord[])[];
  /** The script that it runs. */
  readonly script?: string;
  /** True when it does nothing else, so that a rule for what it runs is enough. */
  readonly transparent?: true;
  /** Why the commands that it runs are unknown; a rule with exactly its words can still allow it. */
  readonly exactOnly?: string;
  /** Why no command rule can allow it. */
  readonly opaque?: string;
}

type Unwrap = (name: string, rest: readonly ShellWord[]) => WrappedCommands | undefined;

const UNKNOWN_OPTIONS: WrappedCommands = { exactOnly: "its options change what it runs" };

const isOption = (word: ShellWord | undefined): boolean =>
  word !== undefined && (word.dynamic || /^[-+]/.test(word.text));

/** `nohup COMMAND`, without options. */
const plainWrapper: Unwrap = (_, rest) => {
  if (rest.length === 0) return undefined;
  return isOption(rest[0]) ? UNKNOWN_OPTIONS : { commands: [rest], transparent: true };
};

const otherUserWrapper: Unwrap = (_, rest) => {
  if (rest.length === 0) return undefined;
  return isOption(rest[0]) ? UNKNOWN_OPTIONS : { commands: [rest] };
};

const timeout: Unwrap = (_, [duration, ...rest]) => {
  if (duration === undefined) return undefined;
  const isPlain = !duration.dynamic && /^[0-9.]+[smhd]?$/.test(duration.text) && rest.length > 0;
  return isPlain ? { commands: [rest], transparent: true } : UNKNOWN_OPTIONS;
};

const xargs: Unwrap = (_, words) => {
  let at = 0;
  for (let option = words[at]; option !== undefined && isOption(option); option = words[at]) {
    if (option.dynamic) return UNKNOWN_OPTIONS;
    if (/^(?:-[0rt]|-[nPL][0-9]+|--null|--no-run-if-empty)$/.test(option.text)) at += 1;
    else if (/^-[nPL]$/.test(option.text) && /^[0-9]+$/.test(words[at + 1]?.text ?? "")) at += 2;
    else return UNKNOWN_OPTIONS;
  }
  const rest = words.slice(at);
  if (rest.length === 0) return undefined;
  return { commands: [[...rest, dynamicWord("(what xargs reads)")]], transparent: true };
};

const FIND_RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FIND_WRITES = /^-(?:delete|fprint0?|fprintf|fls)$/;

/** A `+` ends it only directly after `{}`; elsewhere it is a word. */
const endsRun = ({ text }: ShellWord, before: ShellWord | undefined): boolean =>
  text === ";" || (text === "+" && before?.text === "{}");

/** The paths that it finds start with the folder that it was given; some implementations give `-execdir` a bare name. */
function foundPath(word: ShellWord, action: string): ShellWord {
  if (!word.text.includes("{}")) return word;
  return action === "-exec" || action === "-ok" ? { ...word, dynamic: true } : dynamicWord(word.text);
}

const find: Unwrap = (_, rest) => {
  if (rest.some(({ text, dynamic }) => dynamic && text !== "{}"))
    return { exactOnly: "the arguments of `find` are only known at run time" };
  if (rest.some(({ text }) => FIND_WRITES.test(text))) return { exactOnly: "`find` itself deletes or writes files" };
  const commands: ShellWord[][] = [];
  for (let at = 0; at < rest.length; at++) {
    const { text } = rest[at] ?? { text: "" };
    if (!FIND_RUNS.has(text)) continue;
    let end = at + 1;
    for (let word = rest[end]; word !== undefined && !endsRun(word, rest[end - 1]); word = rest[end]) end++;
    if (end >= rest.length) return { exactOnly: `\`${text}\` is not terminated` };
    commands.push(rest.slice(at + 1, end).map((word) => foundPath(word, text)));
    at = end;
  }
  return commands.length === 0 ? undefined : { commands };
};

/** Short options of a shell that take no argument and do not change which commands run. */
const SHELL_OPTIONS = /^-(?=.)[euxl]*c?[euxl]*$/;

const shell: Unwrap = (name, rest) => {
  const options = rest.findIndex((word) => !isOption(word));
  const given = options === -1 ? rest : rest.slice(0, options);
  const runsScript = given.some(({ text }) => /^-[a-z]*c/.test(text));
  if (given.some(({ text, dynamic }) => dynamic || !SHELL_OPTIONS.test(text))) return UNKNOWN_OPTIONS;
  if (!runsScript) return undefined;
  const script = rest[options];
  if (script === undefined) return { exactOnly: `\`${name}\` is given no script` };
  return { script: script.text, transparent: true };
};

/** Shells with a different syntax. */
const foreignShell: Unwrap = (name, rest) =>
  rest.some(({ text, dynamic }) => dynamic || /^-[a-z]*c/.test(text))
    ? { exactOnly: `\`${name}\` has its own syntax` }
    : undefined;

const evaluateText: Unwrap = (name, rest) => ({
  script: rest.map(({ text }) => text).join(" "),
  opaque: `\`${name}\` runs text as commands`,
});

const WRAPPERS: Readonly<Record<string, Unwrap>> = {
  time: plainWrapper,
  nohup: plainWrapper,
  setsid: plainWrapper,
  command: plainWrapper,
  builtin: plainWrapper,
  exec: plainWrapper,
  nice: plainWrapper,
  env: plainWrapper,
  timeout,
  xargs,
  find,
  sudo: otherUserWrapper,
  doas: otherUserWrapper,
  sh: shell,
  bash: shell,
  dash: shell,
  zsh: foreignShell,
  ksh: foreignShell,
  eval: evaluateText,
  trap: evaluateText,
};

/** The system's own programs. In any other folder a file of that name could do anything. */
const SYSTEM_FOLDER = /^(?:\/usr)?\/bin\//;

/**
 * The commands that a command runs, from its words without assignments; undefined when it is not a known wrapper or runs
 * none.
 */
export function unwrapCommand([first, ...rest]: readonly ShellWord[]): WrappedCommands | undefined {
  if (first === undefined) return undefined;
  const name = first.text.replace(SYSTEM_FOLDER, "");
  return Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]?.(name, rest) : undefined;
}

/** Programs that run commands from their arguments: to a deny rule, each argument may start a command. */
const RUNNERS = new Set(
  (
    "sudo doas su env xargs fd fdfind parallel watch timeout nice ionice nohup time command builtin exec setsid stdbuf " +
    "chroot unshare nsenter flock strace ltrace script ssh docker podman kubectl npx pnpx bunx busybox toybox caffeinate " +
    "chrt taskset unbuffer rlwrap entr eval trap sh bash dash zsh ksh ash fish csh tcsh cmd powershell pwsh start wsl"
  ).split(" "),
);

/** True for a program that may run its arguments as commands. */
export const runsItsArguments = (name: string): boolean =>
  RUNNERS.has(commandName(name)) || findProgram(commandName(name))?.runs !== undefined;
