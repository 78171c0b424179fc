import type { Command } from "./command.ts";

/** Ends the agent host and starts it again; the team that is shown comes back as it was. */
export const restartHost: Command = ({ host }) => host.restart();

/** Tries again what failed: the host when it is down, else the run, from the thread. */
export const retry: Command = ({ host, actions }) => (host.state === "down" ? host.restart() : actions.run());

/** Shows what the agent host has logged. */
export const showLog: Command = ({ log }) => log.show();

/** Brings the chat to the front, with the focus where one writes. */
export const focusChat: Command = ({ chat }) => chat.focus();
