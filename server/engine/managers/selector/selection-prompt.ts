import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { conversationText } from "../conversation/conversation-text.ts";
import { describeRoles } from "../conversation/describe-roles.ts";
import { fillTemplate } from "../conversation/fill-template.ts";

/** The prompt when the team has no `selector.prompt`. */
const DEFAULT_PROMPT = `You select the next speaker in a conversation between these participants:
{roles}

The conversation so far, one message per speaker name:
{history}

Select the participant who should speak next: {participants}. Respond with the name of exactly one of them and nothing else.`;

/** The prompt to choose one of `candidates`. Its keys are AutoGen's: roles, participants, history. */
export function selectionPrompt(
  definition: TeamDefinition,
  candidates: readonly string[],
  messages: readonly ChatMessage[],
): string {
  return fillTemplate(definition.selector?.prompt ?? DEFAULT_PROMPT, {
    roles: describeRoles(definition),
    participants: candidates.join(", "),
    history: conversationText(messages),
  });
}
