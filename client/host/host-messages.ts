import type { LanguageClient } from "vscode-languageclient/node";
import * as z from "zod";
import { notify } from "../dialogs/notify.ts";

/** The Language Server Protocol's `window/showMessage`; 1 is an error, 2 a warning. */
const ShowMessage = z.object({ type: z.number(), message: z.string() });

/** Shows the host's messages. The library's own handler would make links of their text. */
export function registerHostMessages(client: LanguageClient): void {
  client.onNotification("window/showMessage", (params: unknown) => {
    const { type, message } = ShowMessage.parse(params);
    void notify(type === 1 ? "error" : type === 2 ? "warning" : "info", message);
  });
}
