import { textsIn } from "../json-texts.ts";
import type { SensitiveFiles } from "../sensitive/sensitive-files.ts";
import type { CallEffects } from "../tool.ts";
import type { ApprovalContext, CallFacts } from "./call-facts.ts";
import { type FileUse, fileUseOf, fileWordsOf, isPlainLine, textPieces } from "./commands/command-file-words.ts";
import type { CommandLine, CommandPart } from "./commands/command-line.ts";
import { matchesWords } from "./commands/command-pattern.ts";
import { pathTexts } from "./input-fields.ts";
import {
  expandHome,
  isAbsolutePath,
  NO_PLACES,
  normalizePath,
  type PathPlaces,
  shownPath,
} from "./paths/path-places.ts";
import type { ParsedRule } from "./rule-matching.ts";

/** A protected or secret file that a call uses. Only an approval, or a rule that names exactly this file, allows it. */
export interface SensitivePart {
  readonly path: string;
  /** One sentence for the user and the model. */
  readonly reason: string;
  /** For a file that a command names: this command and those that run it. A rule with exactly their words names the file. */
  readonly commands: readonly CommandPart[];
}

/** The sensitive files of a call. */
export interface SensitiveParts {
  readonly parts: readonly SensitivePart[];
  /** Set when the call uses Gavel's own storage, which nothing allows: one sentence. */
  readonly forbidden?: string;
}

/** Links are resolved for as many words of a command. One with more needs the user. */
const MAX_RESOLVED = 300;
const TOO_MANY = "The command names too many files to check each of them, so it needs the user's approval.";

/** What a path is used for; `unknown` counts as both. */
type Use = "read" | "write" | FileUse;

/** The parts of a call that are looked at. */
interface UsingCall {
  readonly tool: { readonly readOnly?: boolean | undefined };
  readonly input: unknown;
  readonly effects?: CallEffects;
}

/** Finds the sensitive files that a call uses. Never throws. */
export function sensitiveParts(call: UsingCall, facts: CallFacts, context: ApprovalContext): SensitiveParts {
  if (context.files === undefined) return { parts: [] };
  const finder = new Finder(context.files, facts, context);
  const use = useOf(call);
  for (const part of facts.paths) {
    if (part.use === "folder") finder.path(part.path, "names");
    else finder.path(part.path, use ?? (part.use === "search" ? "read" : part.use));
  }
  // A link is also what it is called: writing to it changes the file of that name for whoever reads it.
  const named = facts.line !== undefined && call.effects !== undefined ? [] : pathTexts(call.input);
  for (const { text } of named) finder.name(text, use ?? statedUse(call));
  if (facts.line !== undefined) finder.line(facts.line);
  else if (facts.hasCommand) for (const text of textsIn(call.input).flatMap(textPieces)) finder.name(text, "unknown");
  return finder.found();
}

/** A tool that does not say what it does with its paths may write them. */
const useOf = ({ effects, tool }: UsingCall): Use | undefined =>
  effects !== undefined ? undefined : tool.readOnly ? "read" : "unknown";

const statedUse = ({ effects }: UsingCall): Use =>
  effects?.paths.some(({ use }) => use === "write") ? "write" : "read";

/** True when one of these allow rules names exactly that file, or the command. */
export const namesFile = ({ path, commands }: SensitivePart, rules: readonly ParsedRule[]): boolean =>
  rules.some(
    ({ path: pattern, command }) =>
      (pattern?.isLiteral && pattern.matches(path)) ||
      (command?.literal && commands.some(({ words }) => matchesWords(command, words))),
  );

/** What is known about a path. */
interface KnownPath {
  readonly isOwn: boolean;
  /** Why reading it asks. */
  readonly secret: string | undefined;
  /** Why writing it asks. */
  readonly write: string | undefined;
}

class Finder {
  readonly #files: SensitiveFiles;
  readonly #context: ApprovalContext;
  readonly #places: PathPlaces;
  /** The folder in which a command runs. */
  readonly #folder: string;
  readonly #known = new Map<string, KnownPath>();
  readonly #resolved = new Map<string, string>();
  readonly #parts: SensitivePart[] = [];
  #forbidden: string | undefined;

  constructor(files: SensitiveFiles, { paths }: CallFacts, context: ApprovalContext) {
    this.#files = files;
    this.#context = context;
    this.#places = context.places ?? NO_PLACES;
    this.#folder = paths.find(({ use }) => use === "folder")?.path ?? this.#places.roots[0]?.path ?? "";
  }

  found(): SensitiveParts {
    const parts = this.#parts;
    return this.#forbidden === undefined ? { parts } : { parts, forbidden: this.#forbidden };
  }

  path(path: string, use: Use, commands: readonly CommandPart[] = []): void {
    const { isOwn, secret, write } = this.#about(path);
    if (isOwn) this.#forbidden = `${this.#shown(path)} is Gavel's own storage, which no tool may read or change.`;
    const reason = use === "names" ? undefined : use === "write" || use === "unknown" ? write : secret;
    if (reason !== undefined) this.#add({ path, reason, commands });
  }

  /** A path as a text of the call names it. */
  name(text: string, use: Use): void {
    this.path(this.#absolute(text), use);
  }

  line(line: CommandLine): void {
    for (const { path, use } of line.paths) if (use !== "folder") this.name(path, use === "search" ? "read" : use);
    const isPlain = isPlainLine(line);
    for (const part of line.commands) this.#command(part, [], isPlain);
    // What the parser could not read may use anything that the text names.
    const whole = line.commands.length === 1 ? line.commands : [];
    if (isUnread(line)) for (const text of textPieces(line.text)) this.#word(text, "unknown", whole);
  }

  #add(part: SensitivePart): void {
    const isListed = this.#parts.some(
      ({ path, commands }) => path === part.path && commands.at(-1) === part.commands.at(-1),
    );
    if (!isListed) this.#parts.push(part);
  }

  #command(part: CommandPart, outer: readonly CommandPart[], isPlain: boolean): void {
    const commands = [...outer, part];
    const use = fileUseOf(part);
    const how = use === "names" && !isPlain ? "reads" : use;
    // A wrapper that does nothing else has no words of its own.
    const words = part.transparent ? [] : fileWordsOf(part);
    for (const { text, expands } of new Map(words.map((word) => [word.text, word])).values()) {
      this.#word(text, how, commands);
      if (expands) this.#expanded(text, how, commands);
    }
    for (const inner of part.inner) this.#command(inner, commands, isPlain);
  }

  #word(text: string, use: FileUse, commands: readonly CommandPart[]): void {
    const path = this.#absolute(text);
    this.path(path, use, commands);
    const real = this.#real(path);
    if (real === undefined) this.#add({ path: "", reason: TOO_MANY, commands });
    else if (real !== path) this.path(real, use, commands);
  }

  #absolute(text: string): string {
    return normalizePath(expandHome(text, this.#places), this.#folder);
  }

  #shown(path: string): string {
    return shownPath(path, this.#places);
  }

  /** The path with links resolved; undefined when too many were resolved. */
  #real(path: string): string | undefined {
    const known = this.#resolved.get(path);
    if (known !== undefined) return known;
    if (this.#resolved.size >= MAX_RESOLVED) return undefined;
    const real = this.#places.realPath(path);
    this.#resolved.set(path, real);
    return real;
  }

  /** The files that a shell's wildcards match now. A variable within a name is taken for a wildcard. */
  #expanded(text: string, use: FileUse, commands: readonly CommandPart[]): void {
    const known = text.replace(/^\$(?:PWD\b|\{PWD\})/, ".");
    // A name that is a variable may be any name.
    if (
      known
        .replace(VARIABLE, "\0")
        .split("/")
        .some((name) => /^\0+$/.test(name))
    )
      return;
    const pattern = this.#absolute(known.replace(VARIABLE, "*"));
    const { expand } = this.#context;
    const paths = expand === undefined || !isAbsolutePath(pattern) ? [] : expand(pattern);
    if (paths === undefined) this.#add({ path: "", reason: TOO_MANY, commands });
    else for (const path of paths) this.path(path, use, commands);
  }

  #about(path: string): KnownPath {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const found = this.#files.secretFile(path);
    const secret = found && sentence(this.#shown(path), "may hold secrets", found.why);
    const inTable = secret === undefined ? this.#files.protectedFile(path) : undefined;
    const write = secret ?? (inTable && sentence(this.#shown(path), "can run commands", inTable.why));
    const about = { isOwn: this.#files.isOwn(path), secret, write };
    this.#known.set(path, about);
    return about;
  }
}

const sentence = (path: string, what: string, why: string): string =>
  `${path} ${what} (${why}), so this call needs the user's approval, or a rule for exactly this file.`;

const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[^{}]*\}|[^A-Za-z_{(])|`[^`]*`|\$\([^()]*\)/g;

/** True when some of the line's words are not known. */
const isUnread = ({ opaque, commands }: CommandLine): boolean =>
  opaque !== undefined || commands.some((part) => (part.opaque ?? part.exactOnly) !== undefined);
