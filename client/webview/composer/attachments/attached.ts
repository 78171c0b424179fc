import { type Attached, type AttachedImage, imageTokens } from "../../../common/attachments.ts";
import { post } from "../../state/editor-bridge.ts";
import { addProblems, attach } from "../draft.ts";
import { bytesOf, preparedImage } from "./prepare-image.ts";

/** Attaches what the extension has read, images as models take them, and says what was not attached. */
export function attachAll({ attachments, images = [], problems = [] }: Attached): void {
  attach(attachments, problems);
  for (const image of images) void attachImage(image);
}

/** An image that is small enough stays the file that it is; of a larger one the content is attached, scaled down. */
async function attachImage({ attachment, data }: AttachedImage): Promise<void> {
  const { name } = attachment;
  const prepared = await preparedImage(new Blob([bytesOf(data)]), name);
  if (prepared === undefined) addProblems([unreadableImage(name)]);
  else if (prepared.content === undefined)
    attach([{ ...attachment, size: prepared.size, tokens: imageTokens(prepared.size) }]);
  else post({ type: "attach", content: { ...prepared.content, size: prepared.size } });
}

export const unreadableImage = (name: string): string =>
  `"${name}" is damaged, or no image that can be read. Attach another one.`;
