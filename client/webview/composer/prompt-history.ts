import type { ChatMessage } from "../../../shared/contract/message.ts";
import { isUser } from "../../common/participants/participants.ts";
import { team } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { draft, setDraft } from "./draft.ts";

/** Where the user is among the earlier prompts, the draft that was there before, and the text that is shown of them. */
interface Position {
  readonly teamId: string;
  readonly index: number;
  readonly before: string;
  readonly shown: string;
}

let position: Position | undefined;

/** What the user has said to this team, the last first, without repetitions. */
function earlierPrompts(): readonly string[] {
  const texts = (team.peek()?.thread ?? [])
    .filter((message) => isUser(message.source, roster.peek()))
    .map(promptOf)
    .filter((text) => text !== "");
  return [...new Set(texts.toReversed())];
}

/** The user's words, with the addressee in front. */
function promptOf({ content, metadata }: ChatMessage): string {
  const to = metadata?.["to"];
  const [first] = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : first?.type === "text" ? first.text : "";
  return typeof to === "string" && text !== "" ? `@${to} ${text}` : text;
}

/** Shows the prompt before (1) or after (-1) the one that is shown; after the last is the draft. False if there is none. */
export function movePrompt(by: 1 | -1): boolean {
  const teamId = team.peek()?.teamId ?? "";
  const isOn = position !== undefined && position.teamId === teamId && position.shown === draft.peek();
  const index = (isOn ? (position?.index ?? -1) : -1) + by;
  if (index < -1) return false;
  const before = isOn ? (position?.before ?? "") : draft.peek();
  const shown = index === -1 ? before : earlierPrompts()[index];
  if (shown === undefined) return false;
  position = index === -1 ? undefined : { teamId, index, before, shown };
  setDraft(shown);
  return true;
}
