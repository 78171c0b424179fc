import * as z from "zod";
import { Resource } from "../../shared/contract/message.ts";
import { type Draft, MAX_ATTACHMENTS, MAX_TEXT } from "../common/attachments.ts";

export const AttachmentSchema = z.strictObject({
  key: z.string().min(1).max(20_000),
  kind: z.enum([...Resource.shape.kind.options, "image"]),
  name: z.string().min(1).max(1000),
  uri: z.string().max(10_000).exactOptional(),
  lines: z.strictObject({ start: z.number().int().min(1), end: z.number().int().min(1) }).exactOptional(),
  tokens: z.number().min(0),
});

export const DraftSchema: z.ZodType<Draft> = z.strictObject({
  text: z.string().max(MAX_TEXT),
  attachments: z.array(AttachmentSchema).max(MAX_ATTACHMENTS),
});
