import { ErrorCodes, ResponseError } from "vscode-languageserver/node";
import { type AskEditor, NoEditorError } from "../../tools/index.ts";
import { type ClientRequests, MalformedAnswer } from "./client-requests.ts";

/** Asks the client as the editor that it may be. */
export function clientEditor(client: ClientRequests): AskEditor {
  return async (message, params, signal) => {
    try {
      return await client.send(message, params, signal);
    } catch (error) {
      if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound)
        throw new NoEditorError("The client is no editor.");
      if (error instanceof MalformedAnswer)
        throw new Error("The editor gave a malformed answer, so there is no result.");
      throw new Error("The editor could not answer; its log says why.", { cause: error });
    }
  };
}
