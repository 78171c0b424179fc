import type { Command } from "./command.ts";

/** Restarts the host if it is down; otherwise continues the run from the thread. */
export const retry: Command = ({ host, actions }) => (host.state === "down" ? host.restart() : actions.run());

/** Opens the log of the extension and its host. */
export const showLog: Command = ({ log }) => log.show();

/** Shows the chat and focuses its composer. */
export const focusChat: Command = ({ chat }) => chat.focus();

/** Shows the chat with the widget that finds text in its thread. */
export const findInThread: Command = async ({ opener, chat }) => {
  await opener.restore();
  await chat.reveal({ type: "find" });
};
