import * as z from "zod";

/** The most of a command that is shown to the user, in characters; one that is longer is not started. */
export const MAX_COMMAND_TEXT = 4_000;

const texts = z.array(z.string().max(MAX_COMMAND_TEXT)).max(200);

/** What would be started, or a server elsewhere that would be used. */
const Start = z.union([
  z.strictObject({
    /** The program, as it is started: without a shell. */
    command: z.string().min(1).max(MAX_COMMAND_TEXT),
    args: z.array(z.string().max(MAX_COMMAND_TEXT)).max(500),
    /** Absolute. */
    folder: z.string(),
    /** The variables that it gets besides the usual ones, as `NAME=value`; see {@link ProgramQuestion}. */
    environment: texts,
  }),
  z.strictObject({
    url: z.string().max(MAX_COMMAND_TEXT),
    /** The headers that it gets besides the usual ones, as `NAME: value`. */
    headers: texts,
    /** The registered client by which the user signs in to it. */
    oauthClient: z.string().max(MAX_COMMAND_TEXT).optional(),
  }),
]);

/**
 * A program that a file or the user's settings ask for, and that the user has to allow before it is started. Values are as
 * the file has them: the user sees which of their own variables and secrets go there, and not what these are.
 */
export const ProgramQuestion = z.strictObject({
  /** What it is used as. */
  use: z.enum(["mcpServer", "agent"]),
  /** Its name in the file that asks for it. */
  name: z.string().max(300),
  /** The URI of that file; left out for the user's own settings. */
  from: z.string().optional(),
  start: Start,
  /** Of everything that decides what runs, such as the values of variables: with another one the user is asked again. */
  digest: z.string().max(200),
});
export type ProgramQuestion = z.infer<typeof ProgramQuestion>;
