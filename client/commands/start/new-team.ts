import { type Uri, window, workspace } from "vscode";
import { plainText } from "../../common/plain-text.ts";
import {
  askSteps,
  BACK,
  pickManyStep,
  pickStep,
  type StepAnswer,
  type StepPlace,
  textStep,
} from "../../dialogs/steps.ts";
import { openFolders } from "../../files/work-folders.ts";
import type { KeyStore } from "../../models/ask-endpoint.ts";
import { askModel, type ModelAnswer } from "../../start/ask-model.ts";
import { freeTeamFile } from "../../start/new-team-file.ts";
import { canPractice } from "../../start/team-model-text.ts";
import type { TeamPattern } from "../../start/team-pattern.ts";
import { namesIn, namesProblem, teamFileName, teamPatterns, teamText, toolGroups } from "../../start/team-text.ts";
import type { Command, Services } from "../command.ts";
import { draftFromTask } from "./draft-from-task.ts";

const title = "New Team";

/** What the user has answered so far. */
interface Answers {
  pattern: TeamPattern | undefined;
  names: readonly string[];
  tools: readonly string[];
  /** For which the model drafts the file. */
  task: string;
  model: ModelAnswer["model"];
  folder: Uri | undefined;
}

/**
 * Makes a team file: by some questions, after which it is written and opened, or from a task, for which a model drafts it;
 * a draft is shown, and the user saves it or not.
 */
export const newTeam: Command = async (services) => {
  const places = placesOf(services);
  const answers: Answers = {
    pattern: undefined,
    names: [],
    tools: [],
    task: "",
    model: undefined,
    folder: places[0]?.folder,
  };
  const done = await askSteps(() => [
    (place) => askPattern(answers, place),
    ...(answers.pattern === undefined
      ? [(place: StepPlace) => askTask(answers, place)]
      : [(place: StepPlace) => askNames(answers, place), (place: StepPlace) => askTools(answers, place)]),
    (place) => askTeamModel(answers, services.credentials, place),
    ...(places.length > 1 ? [(place: StepPlace) => askFolder(answers, places, place)] : []),
  ]);
  const { pattern, names, tools, task, model, folder } = answers;
  if (!done || folder === undefined) return;
  if (pattern === undefined)
    return draftFromTask(services, { task, model: model === "practice" ? undefined : model, folder });
  const file = await freeTeamFile(folder, teamFileName(pattern));
  await workspace.fs.writeFile(file, new TextEncoder().encode(teamText({ pattern, names, tools, model })));
  await window.showTextDocument(file, { preview: false, preserveFocus: true });
  await services.opener.openFile(file);
  await services.chat.focus();
};

async function askPattern(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const fromTask = {
    label: "$(sparkle) From a Task…",
    detail: "Describe the task in a sentence. A model drafts the team, and you see it before it is saved.",
    pattern: undefined,
  };
  const items = [
    fromTask,
    ...teamPatterns.map((pattern) => ({ ...pattern, label: `$(law) ${pattern.label}`, pattern })),
  ];
  const answer = await pickStep({ title, ...place, placeholder: "How does the team work together?", items });
  if (answer === undefined || answer === BACK) return answer;
  if (answer.pattern !== answers.pattern) answers.names = answer.pattern?.names ?? [];
  answers.pattern = answer.pattern;
  return true;
}

async function askTask(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const answer = await textStep({
    title: `${title} from a Task`,
    ...place,
    prompt: "What should the team do? A model drafts the team file.",
    placeholder: "Write release notes from the last commits, and have them reviewed",
    value: answers.task,
    problemOf: (text) => (text.trim() === "" ? "Describe the task in a sentence." : undefined),
  });
  if (answer === undefined || answer === BACK) return answer;
  answers.task = answer.trim();
  return true;
}

async function askNames(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const { pattern } = answers;
  if (pattern === undefined) return undefined;
  const answer = await textStep({
    title: `${title}: ${pattern.label}`,
    ...place,
    prompt: pattern.names.length === 1 ? "Name of the participant" : "Names of the participants, separated by commas",
    value: answers.names.join(", "),
    problemOf: (text) => namesProblem(namesIn(text), pattern),
  });
  if (answer === undefined || answer === BACK) return answer;
  answers.names = namesIn(answer);
  return true;
}

async function askTools(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const items = toolGroups.map((group, at) => ({ ...group, picked: at === 0 }));
  const answer = await pickManyStep({ title, ...place, placeholder: "What may the participants do?", items });
  if (answer === undefined || answer === BACK) return answer;
  answers.tools = answer.flatMap(({ tools }) => tools);
  return true;
}

async function askTeamModel(answers: Answers, keys: KeyStore, place: StepPlace): Promise<StepAnswer<true>> {
  const { pattern } = answers;
  const drafts = pattern === undefined;
  const answer = await askModel({ title, ...place }, { drafts, practice: !drafts && canPractice(pattern) }, keys);
  if (answer === undefined || answer === BACK) return answer;
  answers.model = answer.model;
  return true;
}

interface Place {
  readonly label: string;
  readonly detail: string;
  readonly folder: Uri;
}

/** Where the file may be saved, the likeliest first. */
function placesOf({ folders }: Services): readonly Place[] {
  const open = workspace.isTrusted ? openFolders() : [];
  return [
    ...open.map(({ name, uri }) => ({
      label: `$(folder) This Workspace: ${plainText(name)}`,
      detail: "For all who work on it.",
      folder: uri,
    })),
    { label: "$(account) Your Teams", detail: "For you, in every workspace.", folder: folders.teams },
  ];
}

async function askFolder(answers: Answers, items: readonly Place[], place: StepPlace): Promise<StepAnswer<true>> {
  const answer = await pickStep({ title, ...place, placeholder: "Where is the team file saved?", items });
  if (answer === undefined || answer === BACK) return answer;
  answers.folder = answer.folder;
  return true;
}
