import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ContentPart } from "../../shared/contract/message.ts";
import { type Draft, isEmptyDraft } from "../common/attachments.ts";
import type { ChatContext } from "../context/chat-context.ts";
import type { Drafts } from "../messages/drafts.ts";
import type { TeamActions } from "../session/team-actions.ts";
import type { TeamSource } from "../session/team-source.ts";
import type { PageSurface } from "./page-surface.ts";

/** What sending a draft works with. */
export interface SendServices {
  readonly actions: TeamActions;
  readonly chat: PageSurface;
  readonly context: ChatContext;
  readonly drafts: Drafts;
  /** The team that the page follows. */
  readonly session: TeamSource;
}

/**
 * Sends what the composer held. If the team does not take it, or `send` resolves with false, the draft comes back to the
 * composer of that team.
 * @throws what reading the attachments or `send` throws.
 */
export async function sendDraft(
  draft: Draft,
  send: (context: readonly ContentPart[]) => Promise<unknown>,
  services: SendServices,
): Promise<void> {
  const { actions, context } = services;
  const { teamId } = actions.team;
  let taken = isEmptyDraft(draft);
  const listening = actions.session?.onEvents((events) => {
    taken ||= events.some(takes);
  });
  try {
    await send(await context.read(draft.attachments));
  } finally {
    listening?.dispose();
    if (!taken) await giveBack(draft, teamId, services);
  }
}

/** Whether an event shows that a message of the user's has been taken. */
const takes = (event: TeamEvent): boolean =>
  event.type === "run/started" ||
  event.type === "userMessage/queued" ||
  (event.type === "message/added" && event.message.type === "UserTextMessage");

/** Puts a draft into the composer of a team. A page that shows the team has its newest text, and puts them together. */
export async function giveBack(draft: Draft, teamId: string, { chat, session, drafts }: SendServices): Promise<void> {
  if (chat.visible && session.state?.teamId === teamId) chat.post({ type: "unsent", teamId, draft });
  else await drafts.restore(teamId, draft);
}
