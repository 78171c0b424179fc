import * as z from "zod";
import { ModelDefinition } from "./definition.ts";
import { notification, request } from "./message-type.ts";
import { Problem } from "./problem.ts";

const draftId = z.string().min(1).max(200);

/**
 * Has a model write a team file for a task: `model` or, left out, that of `gavel.model`. Nothing is stored: the client shows
 * the text to the user. With a `draftId`, the text is sent in `draft/part` while it is written. `problems` is what is still
 * wrong with it, after the model was told once. `$/cancelRequest` ends the model's request.
 */
export const TeamDraft = request(
  "team/draft",
  z.strictObject({
    task: z.string().regex(/\S/, "say what the team is for").max(20_000),
    model: ModelDefinition.optional(),
    draftId: draftId.optional(),
  }),
  z.object({ text: z.string(), problems: z.array(Problem) }),
);

/**
 * Sent while a draft is written: the next part of the model's answer, as it comes. The second attempt, after the model was
 * told the problems of the first, starts with an empty text. The result of `team/draft` has the text of the file.
 */
export const DraftPart = notification(
  "draft/part",
  z.object({ draftId: z.string(), attempt: z.number().int().min(1), delta: z.string() }),
);

/**
 * Asks each model of a team for a word and, without a `teamId` or for a team that needs it, as it has no models, that of
 * `gavel.model`. Each is an ordinary request of some tokens. `$/cancelRequest` ends those under way.
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

/**
 * Whether the agents of a team, or of a team file, can be used: the programs of `acp` participants are looked for, and not
 * started; the cards of `a2a` participants are read, which the user is asked about as before a run. A refusal is no failure.
 * `$/cancelRequest` ends what is under way.
 */
export const AgentsCheck = request(
  "agents/check",
  z.strictObject({ teamId: z.string().min(1).max(200).optional(), uri: z.string().optional() }),
  z.object({
    agents: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["acp", "a2a"]),
        state: z.enum(["works", "wrong", "refused"]),
        text: z.string(),
      }),
    ),
  }),
);

/** Whether commands run in a sandbox here. Found out once, by running one; `install` is a shell command that gets it. */
export const SandboxCheck = request(
  "sandbox/check",
  z.strictObject({}),
  z.discriminatedUnion("state", [
    z.object({ state: z.literal("on"), mechanism: z.enum(["bubblewrap", "seatbelt"]) }),
    z.object({ state: z.literal("off") }),
    z.object({ state: z.literal("unavailable"), reason: z.string(), install: z.string().exactOptional() }),
  ]),
);
