import { window } from "vscode";
import { findSample, type Sample, sampleFile, samples } from "../../start/samples.ts";
import type { Command } from "../command.ts";
import { openInNewThread } from "./open-in-new-thread.ts";

/** Opens a sample, by its id or picked from a list, with its task in the chat box: Enter runs it. */
export const trySample: Command = async (services, argument) => {
  const sample = (typeof argument === "string" ? findSample(argument) : undefined) ?? (await pickSample());
  if (sample === undefined) return;
  const { extension, folders } = services;
  const file = await sampleFile(sample, {
    extension: extension.uri,
    version: extension.version,
    scratch: folders.scratch,
  });
  await openInNewThread(services, file);
  await services.chat.focus({ text: sample.task });
};

async function pickSample(): Promise<Sample | undefined> {
  const items = samples.map((sample) => ({
    sample,
    label: `$(beaker) ${sample.name}`,
    description: sample.description,
    detail: `Suggested task: ${sample.task}`,
  }));
  const picked = await window.showQuickPick(items, {
    title: "Try a Sample",
    placeHolder: "Select a team. It needs no API key, and works in a folder of its own.",
    matchOnDescription: true,
  });
  return picked?.sample;
}
