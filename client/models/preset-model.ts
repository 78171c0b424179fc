import { type Disposable, lm, workspace } from "vscode";
import { ModelDefinition } from "../../shared/contract/definition.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";
import { modelName } from "../common/model-name.ts";

const SETTING = "gavel.model";

/** The user's own setting, if it can be read. */
export function modelSetting(): ModelDefinition | undefined {
  return ModelDefinition.safeParse(workspace.getConfiguration().get(SETTING)).data;
}

/** The name of the model of participants without one of their own; undefined if there is none. */
export async function presetModelName(): Promise<string | undefined> {
  const set = modelSetting();
  if (set !== undefined) return modelName(modelInfo(set));
  const [first] = await lm.selectChatModels();
  return first?.name;
}

/** Calls `changed` when it may be another one. */
export function onPresetModelChanged(changed: () => void): Disposable[] {
  return [
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SETTING) && changed()),
    lm.onDidChangeChatModels(changed),
  ];
}
