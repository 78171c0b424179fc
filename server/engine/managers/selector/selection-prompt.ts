import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { conversationText } from "../conversation/conversation-text.ts";
import { describeRoles } from "../conversation/describe-roles.ts";
import { fillTemplate } from "../conversation/fill-template.ts";

/** What the selector's model is asked, where the team's `selector.prompt` does not say. */
const DEFAULT_PROMPT = `These are the people in a conversation, and what each is there for:
{roles}

This is what has been said, each line of a speaker beginning with the name:
{history}

Who has to speak next so that the conversation gets on? Choose one of: {participants}. Answer with that name and nothing else.`;

/** The question who of `candidates` speaks next. The keys are AutoGen's: roles, participants, history. */
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
