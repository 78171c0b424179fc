import type { Attached } from "../common/attachments.ts";
import type { SendServices } from "./send-draft.ts";

/**
 * Attaches to the draft of a team. A page that can be seen does it, which scales images down, whichever team it shows by
 * now; if it was closed or hidden meanwhile, the files themselves are attached.
 * @param request the number of the page's request that this answers.
 */
export async function attachTo(
  teamId: string,
  attached: Attached,
  { chat, drafts }: Pick<SendServices, "chat" | "drafts">,
  request?: number,
): Promise<void> {
  if (chat.visible)
    return chat.post({ type: "attached", teamId, ...(request === undefined ? {} : { request }), ...attached });
  const { attachments } = attached;
  if (attachments.length > 0) await drafts.restore(teamId, { text: "", attachments });
}
