import type { LanguageClient } from "vscode-languageclient/node";
import * as z from "zod";
import { type NotificationKind, notify } from "../dialogs/notify.ts";

const kindOf = (type: number): NotificationKind => (type === 1 ? "error" : type === 2 ? "warning" : "info");

/** The Language Server Protocol's `window/showMessage`; 1 is an error, 2 a warning. */
const ShowMessage = z.object({ type: z.number(), message: z.string() });

const ShowMessageRequest = ShowMessage.extend({ actions: z.array(z.object({ title: z.string() })).default([]) });

/** Shows the host's messages and questions. The library's own handlers would make links of their text. */
export function registerHostMessages(client: LanguageClient): void {
  client.onNotification("window/showMessage", (params: unknown) => {
    const { type, message } = ShowMessage.parse(params);
    void notify(kindOf(type), message);
  });
  client.onRequest("window/showMessageRequest", async (params: unknown) => {
    const { type, message, actions } = ShowMessageRequest.parse(params);
    const title = await notify(kindOf(type), message, ...actions.map((action) => action.title));
    return title === undefined ? null : { title };
  });
}
