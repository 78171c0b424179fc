import * as z from "zod";
import { request } from "./message-type.ts";
import { Problem } from "./problem.ts";

/**
 * Has the model of `gavel.model` write a team file for a task. Nothing is stored: the client shows the text to the user.
 * `problems` is what is still wrong with it, after the model was told once. `$/cancelRequest` ends the model's request.
 */
export const TeamDraft = request(
  "team/draft",
  z.strictObject({ task: z.string().regex(/\S/, "say what the team is for").max(20_000) }),
  z.object({ text: z.string(), problems: z.array(Problem) }),
);

/**
 * Asks each model of a team for a word and, without a `teamId` or for a team without models, that of `gavel.model`. Each is
 * an ordinary request of some tokens. `$/cancelRequest` ends those under way.
 */
export const ModelsCheck = request(
  "models/check",
  z.strictObject({ teamId: z.string().min(1).max(200).optional() }),
  z.object({
    models: z.array(
      z.object({
        key: z.string().exactOptional(),
        label: z.string(),
        failure: z.object({ message: z.string(), data: z.record(z.string(), z.unknown()) }).exactOptional(),
      }),
    ),
  }),
);
