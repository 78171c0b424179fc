import { commands, lm, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import type { ChosenModel, ModelInfo } from "../../shared/contract/model-choice.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";
import { modelName } from "../common/model-name.ts";
import { plainText } from "../common/plain-text.ts";
import { localModels } from "./local-models.ts";
import { modelSetting } from "./preset-model.ts";

type Choice<M> = QuickPickItem & { readonly model?: M; readonly settings?: true };

/** A model that the user has picked, and its name; `null`: what the team file says, or the setting. */
export interface PickedModel<M> {
  readonly model: M;
  readonly name: string;
}

export interface ModelQuestion {
  readonly title: string;
  readonly placeHolder: string;
}

/** What else is offered for a team: its file's models, and a way back to what the file says. */
export interface TeamModels {
  readonly models: Readonly<Record<string, ModelInfo>>;
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
  const named = Object.entries(models).map(([key, info]) => ({
    label: plainText(key),
    description: plainText(infoText(info)),
    model: key,
  }));
  const ofSettings =
    set === undefined || set.provider === "vscode"
      ? []
      : [{ label: plainText(modelName(modelInfo(set))), description: plainText(infoText(modelInfo(set))), model: set }];
  return pick<ChosenModel | null>(question, [
    { ...own, model: null },
    ...group<ChosenModel | null>("Team File", named),
    ...group<ChosenModel | null>("Settings", ofSettings),
  ]);
}

async function pick<M>(
  question: ModelQuestion,
  first: readonly Choice<M | ModelDefinition>[],
): Promise<PickedModel<M | ModelDefinition> | undefined> {
  const picked = await window.showQuickPick(offered<M>(first), {
    ...question,
    matchOnDescription: true,
  });
  if (picked?.settings === true) await commands.executeCommand("workbench.action.openSettings", "gavel.model");
  return picked?.model === undefined ? undefined : { model: picked.model, name: picked.label };
}

async function offered<M>(first: readonly Choice<M | ModelDefinition>[]): Promise<Choice<M | ModelDefinition>[]> {
  const [editor, local] = await Promise.all([lm.selectChatModels(), localModels()]);
  return [
    ...first,
    ...group<M | ModelDefinition>(
      "VS Code",
      editor.map(({ name, id, vendor, maxInputTokens }) => ({
        label: plainText(name),
        description: plainText(`${vendor} · ${maxInputTokens.toLocaleString("en-US")} tokens`),
        model: { provider: "vscode", vendor, model: id, contextWindow: maxInputTokens },
      })),
    ),
    ...group<M | ModelDefinition>(
      "On This Computer",
      local.map(({ server, model, baseUrl }) => ({
        label: plainText(model),
        description: server,
        model: { provider: "openai", model, baseUrl },
      })),
    ),
    ...group<M | ModelDefinition>("Other", [
      { label: "OpenAI-Compatible or Azure Endpoint…", description: "in the settings", settings: true },
    ]),
  ];
}

const infoText = ({ provider, name, origin }: ModelInfo): string =>
  [provider === "practice" ? "plays lines of the team file" : (name ?? modelName({ provider })), origin ?? ""]
    .filter((part) => part !== "")
    .join(" · ");

const group = <M>(label: string, items: readonly Choice<M>[]): Choice<M>[] =>
  items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
