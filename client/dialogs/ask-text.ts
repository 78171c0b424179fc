import { type CancellationToken, type InputBoxOptions, window } from "vscode";
import { plainText } from "../common/plain-text.ts";

/**
 * Asks for a text in an input box. VS Code makes links and icons of what is in a prompt; here it is shown as it is.
 * @param token closes the box.
 * @returns undefined when the box was closed.
 */
export function askText(
  options: InputBoxOptions & { readonly prompt?: string },
  token?: CancellationToken,
): Thenable<string | undefined> {
  const { prompt } = options;
  return window.showInputBox({ ...options, ...(prompt === undefined ? {} : { prompt: plainText(prompt) }) }, token);
}
