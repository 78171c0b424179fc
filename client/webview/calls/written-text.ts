import { signal } from "@preact/signals";
import { storedState, storeState } from "../state/editor-bridge.ts";
import { team } from "../state/page-state.ts";

/** What the user writes on a card: the call's ref, and what the text is for. */
export interface WrittenOn {
  readonly callRef: string;
  readonly use: "answer" | "reason" | "command" | "result";
}

/**
 * What is written on cards and not sent, by team, call and use. A card is not there all the time: it is scrolled out of the
 * list, another team is shown, or the page is hidden, for which the editor stores it.
 */
const written = signal<Readonly<Record<string, string>>>(storedState().written ?? {});

const teamPrefix = (): string => `${team.value?.teamId ?? ""} `;

const keyOf = ({ callRef, use }: WrittenOn): string => `${teamPrefix()}${callRef} ${use}`;

export const writtenText = (on: WrittenOn): string | undefined => written.value[keyOf(on)];

/** Without a text, nothing is written any more. What was written on calls of the team that are decided is forgotten. */
export function setWrittenText(on: WrittenOn, text: string | undefined): void {
  const prefix = teamPrefix();
  const waiting = new Set(team.value?.pendingTools.map(({ ref }) => ref));
  const isKept = (key: string): boolean =>
    !key.startsWith(prefix) || waiting.has(key.slice(prefix.length, key.lastIndexOf(" ")));
  const others = Object.entries(written.value).filter(([key]) => key !== keyOf(on) && isKept(key));
  written.value = Object.fromEntries(text === undefined ? others : [...others, [keyOf(on), text]]);
  storeState({ written: written.value });
}
