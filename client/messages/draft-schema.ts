import * as z from "zod";
import { Resource } from "../../shared/contract/message.ts";
import { type Draft, type ImageSize, MAX_ATTACHMENTS, MAX_IMAGE_EDGE, MAX_TEXT } from "../common/attachments.ts";

const edge = z.number().int().min(1).max(MAX_IMAGE_EDGE);
export const ImageSizeSchema: z.ZodType<ImageSize> = z.strictObject({ width: edge, height: edge });

export const AttachmentSchema = z.strictObject({
  key: z.string().min(1).max(20_000),
  kind: z.enum([...Resource.shape.kind.options, "image"]),
  name: z.string().min(1).max(1000),
  uri: z.string().max(10_000).exactOptional(),
  server: z.string().max(20_000).exactOptional(),
  lines: z.strictObject({ start: z.number().int().min(1), end: z.number().int().min(1) }).exactOptional(),
  size: ImageSizeSchema.exactOptional(),
  tokens: z.number().min(0),
});

export const DraftSchema: z.ZodType<Draft> = z.strictObject({
  text: z.string().max(MAX_TEXT),
  attachments: z.array(AttachmentSchema).max(MAX_ATTACHMENTS),
});

/** A draft as it is kept: of any length. */
export const StoredDraft: z.ZodType<Draft> = z.strictObject({
  text: z.string(),
  attachments: z.array(AttachmentSchema),
});
