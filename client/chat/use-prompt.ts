import { attachTo } from "./attach-to.ts";
import { giveBack, type SendServices } from "./send-draft.ts";

/**
 * Puts a prompt of an MCP server into the draft of the team, which the user reads and sends: its words are a server's. What
 * it has beside text is attached.
 * @throws Error with a sentence when the server does not give it.
 */
export async function usePrompt(server: string, prompt: string, services: SendServices): Promise<void> {
  const { actions, chat, context, session } = services;
  const { teamId } = actions.team;
  try {
    const found = await context.promptDraft(teamId, server, prompt);
    if (found === undefined) return;
    const { text, attached } = found;
    if (text !== "") await giveBack({ text, attachments: [] }, teamId, services);
    if (attached.attachments.length > 0 || attached.problems?.length) await attachTo(teamId, attached, services);
  } finally {
    if (session.state?.teamId === teamId) await chat.focus({});
  }
}
