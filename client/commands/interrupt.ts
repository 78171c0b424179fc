import type { Command } from "./command.ts";

/** Stops the team where it stands, and keeps all of it. A team at rest is left as it is. */
export const interrupt: Command = ({ actions }) => actions.interrupt();

/** Lets the speaker finish, then ends the run. */
export const stopAfterTurn: Command = ({ actions }) => actions.stopAfterTurn();
