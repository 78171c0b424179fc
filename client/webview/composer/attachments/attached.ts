import { type Attached, type AttachedImage, imageTokens } from "../../../common/attachments.ts";
import { post } from "../../state/editor-bridge.ts";
import { addProblems, attach } from "../draft.ts";
import { prepareFor } from "./image-queue.ts";
import { bytesOf } from "./prepare-image.ts";

/** Attaches to a team's draft what the extension has read, images as models take them, and says what was not attached. */
export function attachAll(teamId: string | null, { attachments, images = [], problems = [] }: Attached): void {
  attach(teamId, attachments, problems);
  for (const image of images) void attachImage(teamId, image);
}

/** An image that models take stays the file that it is; of another one the content is attached, scaled down. */
async function attachImage(teamId: string | null, { attachment, data }: AttachedImage): Promise<void> {
  const prepared = await prepareFor(teamId, () => new Blob([bytesOf(data)]), attachment.name);
  if ("problem" in prepared) return addProblems([prepared.problem]);
  const { size, content } = prepared;
  if (content === undefined) attach(teamId, [{ ...attachment, size, tokens: imageTokens(size) }]);
  else post({ type: "attach", content: { ...content, size } }, teamId ?? undefined);
}
