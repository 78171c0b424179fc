import type { PresentClient } from "../../../shared/contract/presence.ts";
import { listText } from "../../../shared/text/list-text.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";

/** Who else has a team open: another user, or another client of the same user. */
export interface Present {
  /** The same for as long as it is the same one. */
  readonly key: string;
  /** The user's name, or for another client of this user where it is: `another window`, `a terminal`. */
  readonly name: string;
  readonly isOwn: boolean;
  readonly isWriting: boolean;
}

/** The `name` of Gavel's command line in its `clientInfo`. */
const TERMINAL = "gavel";

/**
 * Who else has the team open, each user and each place once: other users first.
 * @param nameOf the name of another user; undefined for one who is not known to the team.
 */
export function othersPresent(
  clients: readonly PresentClient[],
  user: string,
  nameOf: (id: string) => string | undefined,
): readonly Present[] {
  const own = programOf(clients.find(({ isSelf }) => isSelf)?.program ?? "");
  const all = new Map<string, Present>();
  for (const client of clients) {
    if (client.isSelf) continue;
    const isOwn = client.user.id === user;
    const name = isOwn ? placeOf(client.program, own) : (nameOf(client.user.id) ?? visibleText(client.user.name).text);
    const key = isOwn ? `own ${name}` : `user ${client.user.id}`;
    const isWriting = client.isWriting || all.get(key)?.isWriting === true;
    all.set(key, { key, name, isOwn, isWriting });
  }
  return [...all.values()].sort((a, b) => Number(a.isOwn) - Number(b.isOwn));
}

/** The program without its version. */
const programOf = (program: string): string => program.replace(/ [\d.]+\S*$/u, "");

/** Where another client of the same user is. */
function placeOf(program: string, own: string): string {
  const name = programOf(program);
  if (name === TERMINAL) return "a terminal";
  return name === own ? "another window" : visibleText(name).text;
}

/** All of them in a line: `Ana (writing…) and Ben, also open in another window` */
export function presenceText(present: readonly Present[]): string {
  const named = (some: readonly Present[]): string =>
    listText(some.map(({ name, isWriting }) => (isWriting ? `${name} (writing…)` : name)));
  const users = present.filter(({ isOwn }) => !isOwn);
  const places = present.filter(({ isOwn }) => isOwn);
  return [
    ...(users.length === 0 ? [] : [named(users)]),
    ...(places.length === 0 ? [] : [`${users.length === 0 ? "Also" : "also"} open in ${named(places)}`]),
  ].join(", ");
}

/** Who has come and who has gone, as sentences; that somebody writes is not said. */
export function presenceChange(before: readonly Present[], after: readonly Present[]): readonly string[] {
  const keys = (some: readonly Present[]): ReadonlySet<string> => new Set(some.map(({ key }) => key));
  const [were, are] = [keys(before), keys(after)];
  return [
    ...after
      .filter(({ key }) => !were.has(key))
      .map((one) => (one.isOwn ? `Also open in ${one.name}` : `${one.name} has opened this team`)),
    ...before
      .filter(({ key }) => !are.has(key))
      .map((one) => (one.isOwn ? `No longer open in ${one.name}` : `${one.name} has left`)),
  ];
}
