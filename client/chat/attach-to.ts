import type { Attached } from "../common/attachments.ts";
import type { SendServices } from "./send-draft.ts";

/**
 * Attaches to the draft of a team. A page that can be seen does it, which scales images down, whichever team it shows by
 * now; if it was closed or hidden meanwhile, the files themselves are attached.
 */
export async function attachTo(
  teamId: string,
  attached: Attached,
  { chat, drafts }: Pick<SendServices, "chat" | "drafts">,
): Promise<void> {
  if (chat.visible) return chat.post({ type: "attached", teamId, ...attached });
  const { attachments, images = [] } = attached;
  const all = [...attachments, ...images.map(({ attachment }) => attachment)];
  if (all.length > 0) await drafts.restore(teamId, { text: "", attachments: all });
}
