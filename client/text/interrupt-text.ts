import type { InterruptPreview, ToolInFlight } from "../../shared/contract/inspection.ts";
import type { PlacedTool } from "../../shared/contract/stopped.ts";
import type { InterruptReceipt } from "../../shared/contract/team.ts";
import { countText } from "../../shared/text/count-text.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { activities } from "./activity-text.ts";
import { leafParticipants } from "./leaf-participants.ts";

type Caller = Pick<PlacedTool, "name" | "participant" | "path">;

/** A tool call with its caller: `runCommand of research › ann`. */
export function toolCallName({ name, participant, path }: Caller): string {
  return visibleText(`${name} of ${participantPath(path, participant)}`).text;
}

/** What an interrupt would stop, in one line: partial messages, running tools, waiting calls, other participants. */
export function previewText({ participants, streaming, tools, waitingTools = [] }: InterruptPreview): string {
  const speaking = streaming.map(
    ({ source, path, words }) => `${participantPath(path, source)}: ${countText(words, "word")} so far`,
  );
  const listed = new Set([
    ...streaming.map(({ source, path }) => participantPath(path, source)),
    ...tools.map(({ participant, path }) => participantPath(path, participant)),
  ]);
  const others = leafParticipants(participants)
    .map(({ participant, path, activity }) => ({ name: participantPath(path, participant), activity }))
    .filter(({ name, activity }) => activity !== "idle" && !listed.has(name))
    .map(({ name, activity }) => `${name}: ${activities[activity].label}`);
  const behaviors = tools.map((tool) => `${toolCallName(tool)} ${interruptBehavior(tool)}`);
  const cancelled = waitingTools.map((tool) => `${toolCallName(tool)} waits for you and is cancelled`);
  return [...speaking, ...behaviors, ...cancelled, ...others].join(" · ");
}

/** What a tool call does on an interrupt, to follow its name in a sentence. */
export function interruptBehavior({ state, onInterrupt, mayHaveHadEffects }: ToolInFlight): string {
  if (state === "requested") return "does not start";
  if (state === "abandoned") return "keeps running after an earlier interrupt";
  if (onInterrupt === "wait") return "runs to completion";
  if (onInterrupt === "background") return "continues in the background";
  return mayHaveHadEffects ? "stops, but may already have had effects" : "stops (read-only)";
}

/** Names the interrupted tools that may have had effects; undefined if there are none. */
export function sideEffectsText({ abandonedTools, stopped }: InterruptReceipt): string | undefined {
  const left = new Set(abandonedTools.map(({ ref }) => ref));
  const cut = (stopped?.tools ?? []).filter(({ ref, mayHaveHadEffects }) => mayHaveHadEffects && !left.has(ref));
  const sentences = [
    ...abandonedTools.map(
      (tool) => `${toolCallName(tool)} did not stop in time and may still be running. Its result will be kept.`,
    ),
    ...cut.map((tool) => `${toolCallName(tool)} was interrupted, but may already have had effects.`),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
