import type * as z from "zod";
import type { EditorFailure } from "../../../shared/contract/editor-requests.ts";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";

/**
 * Asks the editor that is the client. @throws NoEditorError when the client is no editor; Error when it does not answer, or
 * not as the protocol says.
 */
export type AskEditor = <P extends z.ZodType, R extends z.ZodType>(
  message: RequestMessage<P, R>,
  params: z.input<P>,
  signal: AbortSignal,
) => Promise<z.output<R>>;

/** The client is no editor that could answer. */
export class NoEditorError extends Error {}

/** Without an editor. */
export const noEditor: AskEditor = async () => {
  throw new NoEditorError("The client is no editor.");
};

/**
 * What an editor answers for one of the tools.
 * @throws Error with a sentence for the model; a {@link NoEditorError} where the client is no editor.
 */
export async function askFor<P extends z.ZodType, Answer extends object>(
  tool: string,
  ask: AskEditor,
  message: RequestMessage<P, z.ZodType<EditorFailure | Answer>>,
  params: z.input<P>,
  signal: AbortSignal,
): Promise<Answer> {
  const answer = await ask(message, params, signal).catch((error: unknown) => {
    if (!(error instanceof NoEditorError)) throw error;
    throw new NoEditorError(
      `${tool} needs an editor such as VS Code, and this team does not run in one; do without it.`,
    );
  });
  if (isFailure(answer)) throw new Error(answer.failure);
  return answer;
}

const isFailure = (answer: object): answer is EditorFailure => "failure" in answer;
