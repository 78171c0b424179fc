import { type InputBoxOptions, window } from "vscode";
import { plainText } from "../common/plain-text.ts";

/**
 * Asks for a text in an input box. VS Code makes links and icons of what is in a prompt; here it is shown as it is.
 * @returns undefined when the box was closed.
 */
export function askText(options: InputBoxOptions & { readonly prompt?: string }): Thenable<string | undefined> {
  const { prompt } = options;
  return window.showInputBox({ ...options, ...(prompt === undefined ? {} : { prompt: plainText(prompt) }) });
}
