import * as z from "zod";

const paths = (most: number) => z.array(z.string().min(1).max(1_000)).min(1).max(most);

/** The keys of a team file that name files with instructions. They are read when the team opens. */
const instructionKeys = {
  /** Markdown files, such as `AGENTS.md`, whose texts are added to the instructions. */
  instructionFiles: paths(20).optional(),
  /** Folders with a `SKILL.md`, or with folders that have one. The model is told what they are for, and reads them. */
  skills: paths(20).optional(),
};

/** What a team has beside its definition, for all of its assistants. */
export const TeamReferences = z.strictObject(instructionKeys);
export type TeamReferences = z.infer<typeof TeamReferences>;

/** What a participant has beside its definition. */
export const ParticipantReferences = z.strictObject({
  /** A file with a custom agent of another tool; of a file with several, `FILE#NAME`. */
  agent: z.string().min(1).max(1_000).optional(),
  ...instructionKeys,
});
export type ParticipantReferences = z.infer<typeof ParticipantReferences>;

/** The keys above, which are gone once they are read. */
export const REFERENCE_KEYS = ["agent", "instructionFiles", "skills"] as const;
