import * as z from "zod";

const text = z.string().max(2_000);
const value = z.union([z.string().max(20_000), z.number(), z.boolean(), z.array(z.string().max(20_000)).max(200)]);

/** A field of a form that a server asks the user to fill in. */
export const ElicitField = z.strictObject({
  name: z.string().min(1).max(200),
  type: z.enum(["string", "number", "integer", "boolean", "choice", "choices"]),
  title: text.optional(),
  description: text.optional(),
  required: z.boolean(),
  /** What can be chosen, for `choice` and `choices`. */
  choices: z
    .array(z.strictObject({ value: z.string().max(2_000), title: text }))
    .max(500)
    .optional(),
  default: value.optional(),
  /** Of a text: `email`, `uri`, `date` or `date-time`. */
  format: z.string().max(50).optional(),
  /** The least value, length or number of choices. */
  minimum: z.number().optional(),
  /** The most. */
  maximum: z.number().optional(),
});
export type ElicitField = z.infer<typeof ElicitField>;

/** What a server asks the user: to fill in a form, or to open an address. */
export const ElicitQuestion = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("form"), message: text, fields: z.array(ElicitField).max(20) }),
  z.strictObject({ mode: z.literal("url"), message: text, url: z.string().max(20_000) }),
]);
export type ElicitQuestion = z.infer<typeof ElicitQuestion>;

/** The user's answer. `content` has the fields by name; it is left out for an address. */
export const ElicitAnswer = z.object({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), value).optional(),
});
export type ElicitAnswer = z.infer<typeof ElicitAnswer>;
