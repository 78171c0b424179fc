import { isDeepStrictEqual } from "node:util";
import { ConfigurationTarget, type Disposable, lm, workspace } from "vscode";
import { ModelDefinition } from "../../shared/contract/definition.ts";
import { DefaultFallback, defaultModelParts } from "../../shared/state/default-model.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";
import { type KnownModels, modelName, offeredName } from "../common/model-name.ts";
import { Disposables } from "../disposables.ts";
import { Emitter } from "../emitter.ts";

const SETTING = "gavel.model";

/** The model of the user's own setting, if it can be read. */
export function modelSetting(): ModelDefinition | undefined {
  return ModelDefinition.safeParse(defaultModelParts(workspace.getConfiguration().get(SETTING)).model).data;
}

/** Makes this model the user's own setting, which keeps its fallbacks but for this one. */
export async function setModelSetting(model: ModelDefinition): Promise<void> {
  const configuration = workspace.getConfiguration();
  const set = DefaultFallback.safeParse(defaultModelParts(configuration.get(SETTING)).fallback).data ?? [];
  const fallback = set.filter((other) => !isDeepStrictEqual(other, model));
  const value = fallback.length === 0 ? model : { ...model, fallback };
  await configuration.update(SETTING, value, ConfigurationTarget.Global);
}

/** The models that VS Code offers now, and the name of the model of participants without one of their own. */
export async function knownModels(): Promise<KnownModels> {
  const models = await lm.selectChatModels();
  const offered = models.map(({ vendor, id, family, name }) => ({ vendor, id, family, name }));
  const set = modelSetting();
  if (set !== undefined) return { preset: modelName(modelInfo(set), offered), offered };
  const [first] = offered;
  return { preset: first === undefined ? undefined : offeredName(first), offered };
}

/** Keeps the known models at hand for what shows their names, and looks them up again when they may be others. */
export class KnownModelNames implements Disposable {
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new Emitter<undefined>());
  readonly onChanged = this.#changed.event;
  #known: KnownModels = { preset: undefined, offered: [] };

  constructor() {
    const look = (): void => void this.look();
    this.#own.add(workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SETTING) && look()));
    this.#own.add(lm.onDidChangeChatModels(look));
  }

  /** As last looked up. */
  get known(): KnownModels {
    return this.#known;
  }

  /** VS Code lists its models only after a while. */
  async look(): Promise<void> {
    const found = await knownModels();
    if (isDeepStrictEqual(found, this.#known)) return;
    this.#known = found;
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#own.dispose();
  }
}
