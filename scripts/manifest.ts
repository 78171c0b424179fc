/** The parts of package.json that name what the client's code must have. */
export interface Manifest {
  readonly contributes?: {
    readonly commands?: readonly ({ readonly command: string } & Clauses)[];
    readonly keybindings?: readonly ({ readonly command: string } & Clauses)[];
    readonly menus?: Readonly<Record<string, readonly ({ readonly command?: string } & Clauses)[]>>;
    readonly views?: Readonly<Record<string, readonly ({ readonly id: string } & Clauses)[]>>;
    readonly viewsWelcome?: readonly ({ readonly contents: string } & Clauses)[];
  };
}

interface Clauses {
  readonly when?: string;
  readonly enablement?: string;
}

/** What the client's code has, as client/contributions.ts lists it. */
export interface Contributions {
  readonly commandIds: readonly string[];
  readonly viewIds: Readonly<Record<string, string>>;
  readonly contextKeys: readonly string[];
}

/**
 * Where the manifest and the code disagree, one sentence each: a command or a view that only one of them has, a menu
 * entry, key or link for a command that does not exist, a clause that goes by a context key that is never set.
 */
export function manifestProblems({ contributes = {} }: Manifest, code: Contributions): string[] {
  const { commands = [], keybindings = [], menus = {}, views = {}, viewsWelcome = [] } = contributes;
  const entries = [...keybindings, ...Object.values(menus).flat()];
  const contributed = commands.map(({ command }) => command);
  const shown = Object.values(views).flat();
  const viewIds = Object.values(code.viewIds);
  const used = [
    ...entries.flatMap(({ command }) => (command?.startsWith("gavel.") ? [command] : [])),
    ...viewsWelcome.flatMap(({ contents }) => [...contents.matchAll(/\(command:(gavel\.\w+)/g)].flatMap(captured)),
  ];
  const clauses = [...commands, ...entries, ...shown, ...viewsWelcome].flatMap(({ when = "", enablement = "" }) => [
    when,
    enablement,
  ]);
  const keys = clauses.flatMap((clause) => [...clause.matchAll(/\b(gavel\.\w+)/g)].flatMap(captured));
  return [
    ...difference(
      contributed,
      code.commandIds,
      (id) => `package.json contributes the command ${id}, which the code does not have.`,
    ),
    ...difference(
      code.commandIds,
      contributed,
      (id) => `The code has the command ${id}, which package.json does not contribute.`,
    ),
    ...difference(
      shown.map(({ id }) => id),
      viewIds,
      (id) => `package.json contributes the view ${id}, which the code does not have.`,
    ),
    ...difference(
      viewIds,
      shown.map(({ id }) => id),
      (id) => `The code has the view ${id}, which package.json does not contribute.`,
    ),
    ...difference(
      used,
      contributed,
      (id) => `package.json has a menu entry, a key or a link for ${id}, which is not among its commands.`,
    ),
    ...difference(
      keys,
      [...code.contextKeys, ...viewIds],
      (key) => `A clause of package.json goes by the context key ${key}, which the code never sets.`,
    ),
  ];
}

/** A sentence for each name that is only in the first list, once each. */
function difference(names: readonly string[], known: readonly string[], sentence: (name: string) => string): string[] {
  return [...new Set(names)].filter((name) => !known.includes(name)).map(sentence);
}

function captured(match: RegExpExecArray): readonly string[] {
  return match[1] === undefined ? [] : [match[1]];
}
