import { cp, mkdir } from "node:fs/promises";
import { Uri } from "vscode";

/** A sample team: it runs without a key, in a scratch folder with a small program. */
export interface Sample {
  /** The name of its file, before `.team.yaml`. */
  readonly id: string;
  readonly name: string;
  /** What happens, in a sentence. */
  readonly description: string;
  /** What to ask the team. */
  readonly task: string;
}

/** The first is the one to begin with. */
export const samples: readonly [Sample, ...Sample[]] = [
  {
    id: "review",
    name: "Review",
    description: "Three agents go through a small program in turn, and ask you to run its tests.",
    task: "Does this program keep its promise?",
  },
  {
    id: "debug",
    name: "Debug",
    description: "A bug hunt in which rules and a model choose who speaks next.",
    task: "Tab gives each of three friends 3.33 of a bill of 10.00. Where is the last cent?",
  },
  {
    id: "support",
    name: "Support",
    description: "Agents hand a question over to each other, and to you.",
    task: "We were three, the bill was 10.00, and Tab gave 3.33 to each of us. Did we underpay?",
  },
  {
    id: "change",
    name: "Change",
    description: "A draft, two reviews at the same time, and another round until it is accepted.",
    task: "Make every split add up to the bill.",
  },
  {
    id: "plan",
    name: "Plan",
    description: "An orchestrator makes a plan, assigns work, and checks the progress.",
    task: "What has to change in Tab before it can split a bill in yen?",
  },
  {
    id: "wording",
    name: "Wording",
    description: "Teams within a team write and judge a text, with a turn of your own.",
    task: "Rewrite the first lines of the README, so that someone who has never seen Tab knows what it is for.",
  },
];

export const findSample = (id: string): Sample | undefined => samples.find((sample) => sample.id === id);

/**
 * The team file of a sample, in a scratch folder that has the program and all sample teams. What agents and the user have
 * changed there stays; each version of the extension has a folder of its own.
 * @throws Error when the files cannot be copied.
 */
export async function sampleFile(
  { id }: Sample,
  from: { readonly extension: Uri; readonly version: string; readonly scratch: Uri },
): Promise<Uri> {
  const folder = Uri.joinPath(from.scratch, `tab-${from.version}`);
  await mkdir(from.scratch.fsPath, { recursive: true });
  const source = Uri.joinPath(from.extension, "media", "samples", "workspace");
  await cp(source.fsPath, folder.fsPath, { recursive: true, force: false });
  return Uri.joinPath(folder, `${id}.team.yaml`);
}
