import { endedCommandText } from "../../../shared/text/command-text.ts";
import { participantsText } from "../../../shared/text/participants-text.ts";
import type { OfferedModel } from "../../common/model-name.ts";
import { isOwnSpeaker, type Members } from "../../common/participants/participants.ts";
import type { TeamItem, TimelineItem } from "../../common/timeline/items.ts";
import { contextText } from "../text/context-text.ts";
import { fallbackText, modelText } from "../text/model-text.ts";
import { runEndText } from "../text/run-text.ts";
import { fullText } from "../text/tool-text.ts";

/** A nested team around a match, with the key of its row. */
interface Around {
  readonly key: string;
  readonly item: TeamItem;
}

/** A place in the thread where the text occurs. */
export interface FindMatch {
  /** The key of its row. */
  readonly key: string;
  /** Which one of its row's it is, from 0. */
  readonly nth: number;
  /** The nested teams around it, outermost first: they must be expanded for its row to be shown. */
  readonly teams: readonly Around[];
}

/**
 * Finds a text in a thread. What was found in an item is kept until another text is looked for, so that looking again after
 * each event costs little.
 */
export class Finder {
  readonly #wanted: string;
  readonly #matchesCase: boolean;
  readonly #offered: readonly OfferedModel[];
  readonly #counts = new WeakMap<TimelineItem, number>();

  /** @param offered the models of VS Code, by whose names rows show models. */
  constructor(query: string, matchesCase: boolean, offered: readonly OfferedModel[]) {
    this.#matchesCase = matchesCase;
    this.#offered = offered;
    this.#wanted = this.#folded(query);
  }

  /** All matches, in the order of the thread. `membersAt` gives the participants of the nested team at a path. */
  in(items: readonly TimelineItem[], membersAt: (path: readonly string[]) => Members): readonly FindMatch[] {
    const found: FindMatch[] = [];
    if (this.#wanted !== "") this.#add(found, items, { membersAt, path: [], prefix: "", teams: [] });
    return found;
  }

  #add(
    found: FindMatch[],
    items: readonly TimelineItem[],
    at: {
      readonly membersAt: (path: readonly string[]) => Members;
      readonly path: readonly string[];
      readonly prefix: string;
      readonly teams: readonly Around[];
    },
  ): void {
    const { membersAt, path, prefix, teams } = at;
    for (const item of items) {
      const key = prefix + item.key;
      // What a nested team received is shown where it was said.
      if (path.length > 0 && item.kind === "message" && !isOwnSpeaker(item.source, membersAt(path))) continue;
      const count = this.#countIn(item);
      for (let nth = 0; nth < count; nth++) found.push({ key, nth, teams });
      if (item.kind === "team")
        this.#add(found, item.items, {
          membersAt,
          path: [...path, item.source],
          prefix: `${key}/`,
          teams: [...teams, { key, item }],
        });
    }
  }

  #countIn(item: TimelineItem): number {
    const known = this.#counts.get(item);
    if (known !== undefined) return known;
    const count = textsOf(item, this.#offered).reduce((sum, text) => sum + this.#occurrences(text), 0);
    this.#counts.set(item, count);
    return count;
  }

  #occurrences(text: string): number {
    const shown = this.#folded(text);
    // A text may have marks as its own, as in code.
    return placesOf(shown, this.#wanted).length || placesOf(withoutMarks(shown), this.#wanted).length;
  }

  #folded(text: string): string {
    return folded(text, this.#matchesCase);
  }
}

/**
 * Without the difference of letter case, unless it matters, and between spaces and line breaks. It is of the same length, so
 * that places in it are places in the text.
 */
export function folded(text: string, matchesCase: boolean): string {
  const spaced = text.replace(/\s/g, " ");
  return matchesCase ? spaced : foldCase(spaced);
}

function foldCase(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length
    ? small
    : Array.from(text, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one)).join("");
}

/** Where `wanted` begins in the text, without overlaps. */
export function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

/** What an item's row says, as it is read. */
function textsOf(item: TimelineItem, offered: readonly OfferedModel[]): readonly string[] {
  switch (item.kind) {
    case "message":
    case "thought":
      return [withoutAddresses(item.text)];
    case "tools":
      return item.calls.flatMap(({ name, input, output }) => [name, fullText(input), fullText(output)]);
    case "handoff":
      return [item.text ?? ""];
    case "error":
      return [item.message];
    case "runEnd":
      return [runEndText(item.stopReason, item.status, item.speaker)];
    case "context":
      return [contextText(item), item.summary?.text ?? ""];
    case "fallback":
      return [fallbackText(item, offered)];
    case "model":
      return [modelText(item, offered)];
    case "command":
      return [endedCommandText(item)];
    case "participants":
      return [participantsText(item, "")];
    case "retry":
      return [item.reason];
    case "interrupt":
    case "reasoning":
      return [item.message ?? ""];
    // Of users, only names.
    case "people":
    case "note":
    case "team":
      return [];
  }
}

const LINK = /\[([^[\]]{1,2000})\]\([^()\s]{1,2000}\)/g;

/** Without the addresses of links. */
const withoutAddresses = (text: string): string => text.replace(LINK, "$1");

/** Without the marks of emphasis and code. */
const withoutMarks = (text: string): string => text.replace(/`+|\*+(?=\S)|(?<=\S)\*+/g, "");
