import { batch, effect, untracked } from "@preact/signals";
import { type Attached, type Attachment, imageTokens } from "../../../common/attachments.ts";
import type { PageContent } from "../../../common/page-messages.ts";
import { post } from "../../state/editor-bridge.ts";
import { attached, openedDraft } from "../../state/page-state.ts";
import { addProblems, attach, type Placed, releaseHeld } from "../draft.ts";
import { contentOf } from "./image-content.ts";
import { prepareInTurn } from "./image-queue.ts";
import { endPending, isPending, nextPlace, startPending } from "./pending.ts";

/** What the extension is asked to attach: something of the editor's by its source, files by their URIs, or a resource. */
type Wanted = Pick<Parameters<typeof post>[0] & { readonly type: "attach" }, "uris" | "source" | "resource">;

/** Asks the extension to attach something to the draft that is shown. */
export function requestAttachment(wanted: Wanted, name: string): void {
  const place = nextPlace();
  const teamId = openedDraft.peek()?.teamId ?? null;
  startPending({ place, teamId, name, count: wanted.uris?.length ?? 1 });
  post({ type: "attach", request: place, ...wanted }, teamId ?? undefined);
}

/** Asks the extension to attach a file by its content, at the place that waits for it. */
export function requestContent(content: PageContent, place: number, teamId: string | null): void {
  if (isPending(place)) post({ type: "attach", request: place, content }, teamId ?? undefined);
}

/** Says why something is not attached. */
export function refuse(place: number, problem: string): void {
  batch(() => {
    releaseHeld();
    addProblems([problem]);
    endPending(place);
  });
}

/** Attaches to a team's draft what the extension has found, images as models take them, and says what was not attached. */
export function attachAll(
  teamId: string | null,
  { attachments, problems = [] }: Attached,
  place: number = nextPlace(),
): void {
  const placed: readonly Placed[] = attachments.map((attachment, index) => ({ attachment, place: place + index }));
  const images = placed.filter(isUnmeasured);
  batch(() => {
    // What was not attached is a reason to read the message again.
    if (attachments.length === 0 || problems.length > 0) releaseHeld();
    const others = placed.filter((one) => !isUnmeasured(one));
    if (others.length > 0 || problems.length > 0) attach(teamId, others, problems);
    const next = images.map((one) => ({ place: one.place, teamId, name: one.attachment.name, count: 1 }));
    if (isPending(place)) endPending(place, next);
    else next.forEach(startPending);
  });
  for (const one of images) void attachImage(teamId, one.attachment, one.place);
}

const isUnmeasured = ({ attachment }: Placed): boolean => attachment.kind === "image" && attachment.size === undefined;

/** An image that models take stays the file that it is; of another one the content is attached, scaled down. */
async function attachImage(teamId: string | null, attachment: Attachment, place: number): Promise<void> {
  const { uri = "", name } = attachment;
  const isWanted = (): boolean => isPending(place);
  const prepared = await prepareInTurn(() => contentOf(uri), name, isWanted);
  if (prepared === undefined) return;
  if ("problem" in prepared) return refuse(place, prepared.problem);
  const { size, content } = prepared;
  if (content !== undefined) return requestContent({ ...content, size }, place, teamId);
  batch(() => {
    attach(teamId, [{ attachment: { ...attachment, size, tokens: imageTokens(size) }, place }]);
    endPending(place);
  });
}

effect(() => {
  const message = attached.value;
  if (message === null) return;
  const { teamId, request } = message;
  // What the user has cancelled meanwhile is not attached.
  if (request === undefined || isPending(request)) untracked(() => attachAll(teamId, message, request));
});
