import { LIMITS } from "../../../shared/limits.ts";

/** What {@link forkTitle} added to the title of a team that is a fork itself. */
const OF_FORK = / \(fork(?: \d+)?\)$/;

/** The title of a copy of a team: "NAME (fork)", or the first of "NAME (fork 2)" and so on that is not taken. */
export function forkTitle(
  { title, name }: { readonly title?: string | undefined; readonly name: string },
  taken: readonly (string | undefined)[],
): string {
  const own = (title ?? name).replace(OF_FORK, "");
  for (let n = 1; ; n++) {
    const end = n === 1 ? " (fork)" : ` (fork ${n})`;
    const forked = `${cut(own, LIMITS.title - end.length)}${end}`;
    if (!taken.includes(forked)) return forked;
  }
}

/** At most so many characters, without half of the last one. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
