import type { InterruptPreview, ToolInFlight } from "../../shared/contract/inspection.ts";
import type { PlacedTool } from "../../shared/contract/stopped.ts";
import type { InterruptReceipt } from "../../shared/contract/team.ts";
import { pathText } from "../common/nested-teams.ts";
import { visibleText } from "../common/visible-text.ts";
import { activities } from "./activity-text.ts";
import { leafParticipants } from "./leaf-participants.ts";

type Caller = Pick<PlacedTool, "name" | "participant" | "path">;

/** A call as one names it: `runCommand of research › ann`. */
export function toolCallName({ name, participant, path }: Caller): string {
  return visibleText(`${name} of ${pathText(path, participant)}`).text;
}

/** What an interrupt would find, in a line: who does what, the words that would be kept, the tools that are at work. */
export function previewText({ participants, streaming, tools }: InterruptPreview): string {
  const speaking = streaming.map(
    ({ source, path, words }) => `${pathText(path, source)}: ${words} ${words === 1 ? "word" : "words"} so far`,
  );
  const heard = new Set([
    ...streaming.map(({ source, path }) => pathText(path, source)),
    ...tools.map(({ participant, path }) => pathText(path, participant)),
  ]);
  const others = leafParticipants(participants)
    .map(({ participant, path, activity }) => ({ way: pathText(path, participant), activity }))
    .filter(({ way, activity }) => activity !== "idle" && !heard.has(way))
    .map(({ way, activity }) => `${way}: ${activities[activity].label}`);
  return [...speaking, ...tools.map((tool) => `${toolCallName(tool)} ${interruptBehavior(tool)}`), ...others].join(
    " · ",
  );
}

/** What an interrupt would do to a call. */
export function interruptBehavior({ state, onInterrupt, mayHaveHadEffects }: ToolInFlight): string {
  if (state === "requested") return "has not begun";
  if (state === "abandoned") return "runs on since an earlier interrupt";
  if (onInterrupt === "wait") return "is let finish";
  if (onInterrupt === "background") return "runs on in the background";
  return mayHaveHadEffects ? "is stopped, and may have had effects already" : "is stopped; it only reads";
}

/** The tools that an interrupt can not have undone: undefined when there are none. */
export function sideEffectsText({ abandonedTools, stopped }: InterruptReceipt): string | undefined {
  const left = new Set(abandonedTools.map(({ ref }) => ref));
  const cut = (stopped?.tools ?? []).filter(({ ref, mayHaveHadEffects }) => mayHaveHadEffects && !left.has(ref));
  const sentences = [
    ...abandonedTools.map(
      (tool) => `${toolCallName(tool)} did not stop and may still be at work; its late result is kept.`,
    ),
    ...cut.map((tool) => `${toolCallName(tool)} was cut short and may have had effects already.`),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
