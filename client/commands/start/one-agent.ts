import { hasDefaultModel } from "../../start/default-model.ts";
import { oneAgentFile } from "../../start/one-agent.ts";
import type { Command } from "../command.ts";
import { openInNewThread } from "./open-in-new-thread.ts";

/** Opens a team of one assistant with tools. Without a default model the user selects one first. */
export const startWithOneAgent: Command = async (services) => {
  if (!(await hasDefaultModel())) await services.run("gavel.selectModel");
  if (!(await hasDefaultModel())) return;
  await openInNewThread(services, await oneAgentFile(services.folders.teams));
  await services.chat.focus();
};
