import { lm, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import type { ChosenModel, ModelFacts } from "../../shared/contract/model-choice.ts";
import { modelFacts, modelInfo } from "../../shared/state/model-choice.ts";
import { modelName, offeredName } from "../common/model-name.ts";
import { plainText } from "../common/plain-text.ts";
import { askEndpoint, type KeyStore } from "./ask-endpoint.ts";
import { emptyServerHint, offerInTerminal } from "./empty-server.ts";
import { knownModels, modelSetting } from "./known-models.ts";
import { type LocalServer, localServers } from "./local-models.ts";
import { factsText } from "./model-facts.ts";

/** A row of a list of models. One without a model asks for an endpoint, or opens a terminal with a command. */
export type ModelChoice<M> = QuickPickItem & {
  readonly model?: M;
  readonly endpoint?: true;
  readonly command?: string;
};

/** A model that the user has picked, and its name; `null`: what the team file says, or the setting. */
export interface PickedModel<M> {
  readonly model: M;
  readonly name: string;
}

export interface ModelQuestion {
  readonly title: string;
  readonly placeHolder: string;
  /** Where the key of a new endpoint is stored. */
  readonly keys: KeyStore;
}

/** What else is offered for a team: its file's models, and a way back to what the file says. */
export interface TeamModels {
  readonly models: Readonly<Record<string, ModelFacts>>;
  /** What is used when no model is chosen, for a row of its own. */
  readonly own: { readonly label: string; readonly description: string };
}

/** Asks for a model for all teams; undefined if the user chose none. */
export function pickDefaultModel(question: ModelQuestion): Promise<PickedModel<ModelDefinition> | undefined> {
  return pick<ModelDefinition>(question, []);
}

/** Asks for a model for a team or a participant of it; undefined if the user chose none. */
export async function pickTeamModel(
  question: ModelQuestion,
  { models, own }: TeamModels,
): Promise<PickedModel<ChosenModel | null> | undefined> {
  const set = modelSetting();
  const { offered } = await knownModels();
  const named = Object.entries(models).map(([key, facts]) => ({
    label: plainText(key),
    description: plainText(facts.provider === "practice" ? "plays lines of the team file" : modelName(facts, offered)),
    ...detailOf(facts),
    model: key,
  }));
  const ofSettings =
    set === undefined || set.provider === "vscode"
      ? []
      : [
          {
            label: plainText(modelName(modelInfo(set), offered)),
            ...detailOf(modelFacts(set)),
            model: set,
          },
        ];
  return pick<ChosenModel | null>(question, [
    { ...own, model: null },
    ...group<ChosenModel | null>("Team File", named),
    ...group<ChosenModel | null>("Settings", ofSettings),
  ]);
}

async function pick<M>(
  question: ModelQuestion,
  first: readonly ModelChoice<M | ModelDefinition>[],
): Promise<PickedModel<M | ModelDefinition> | undefined> {
  const { title, placeHolder } = question;
  const matching = { matchOnDescription: true, matchOnDetail: true };
  const picked = await window.showQuickPick(offered<M>(first), { title, placeHolder, ...matching });
  return picked === undefined ? undefined : modelOfChoice(picked, question.keys);
}

async function offered<M>(
  first: readonly ModelChoice<M | ModelDefinition>[],
): Promise<ModelChoice<M | ModelDefinition>[]> {
  return [...first, ...(await foundModels()), ...group<M | ModelDefinition>("Other", [endpointChoice])];
}

export const endpointChoice = {
  label: "$(plug) Connect a Model…",
  description: "OpenAI, Anthropic, Gemini, Azure, or a compatible endpoint, by its key",
  endpoint: true,
} as const;

/** The model of a row that the user has chosen, who may be asked for more; undefined if there is none, or none yet. */
export async function modelOfChoice<M>(
  { model, label, command, endpoint }: ModelChoice<M>,
  keys: KeyStore,
): Promise<PickedModel<M | ModelDefinition> | undefined> {
  if (command !== undefined) offerInTerminal(command);
  if (endpoint === true) return askEndpoint(keys);
  return model === undefined ? undefined : { model, name: label };
}

/** The models that need no setting up: those of VS Code, and those of the servers on this computer. */
export async function foundModels(): Promise<ModelChoice<ModelDefinition>[]> {
  const [editor, local] = await Promise.all([lm.selectChatModels(), localServers()]);
  return [
    ...group<ModelDefinition>(
      "VS Code",
      editor.map(({ name, id, family, vendor, maxInputTokens }) => {
        const model = { provider: "vscode" as const, vendor, model: id, contextWindow: maxInputTokens };
        return { label: plainText(offeredName({ name, id, family, vendor })), ...detailOf(modelFacts(model)), model };
      }),
    ),
    ...group<ModelDefinition>("On This Computer", local.flatMap(serverChoices)),
  ];
}

function serverChoices(found: LocalServer): ModelChoice<ModelDefinition>[] {
  const { server, baseUrl, models } = found;
  const hint = emptyServerHint(found);
  if (hint !== undefined) {
    const { text, command } = hint;
    return [{ label: `$(terminal) ${server}`, detail: text, ...(command === undefined ? {} : { command }) }];
  }
  return models.map((name) => {
    const model = { provider: "openai" as const, model: name, baseUrl };
    return { label: plainText(name), description: server, ...detailOf(modelFacts(model)), model };
  });
}

function detailOf(facts: ModelFacts): Pick<QuickPickItem, "detail"> {
  const text = factsText(facts);
  return text === "" ? {} : { detail: plainText(text) };
}

const group = <M>(label: string, items: readonly ModelChoice<M>[]): ModelChoice<M>[] =>
  items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
