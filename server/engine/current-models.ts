import type {
  ContextDefinition,
  ModelDefinition,
  ParticipantDefinition,
  TeamDefinition,
} from "../../shared/contract/definition.ts";
import { modelError } from "../../shared/contract/errors.ts";
import type { ChosenModel } from "../../shared/contract/model-choice.ts";
import { ownValue } from "../../shared/json-record.ts";
import { modelFor } from "../../shared/state/model-choice.ts";
import { contextWindow } from "./context/context-window.ts";
import type { Ledger } from "./log/ledger.ts";
import type { Model } from "./model.ts";
import type { TeamParts } from "./parts.ts";

type Member = Pick<ParticipantDefinition, "name" | "model" | "context">;

export interface CurrentModelsOptions {
  readonly ledger: Ledger;
  readonly definition: TeamDefinition;
  /** The models of the teams around it, which can be chosen in it too. */
  readonly outer: TeamDefinition["models"];
  readonly parts: TeamParts;
}

/** The models of one team's participants and manager: those that the user chose, else those of the definition. */
export class CurrentModels {
  readonly #options: CurrentModelsOptions;
  /** Made once for each definition, so that a model that is asked often keeps its connection. */
  readonly #made = new WeakMap<ModelDefinition, Model>();

  constructor(options: CurrentModelsOptions) {
    this.#options = options;
  }

  /** Why the definition gives a participant no model, or undefined. @throws GavelError for a model that cannot be used. */
  check(member: Member): string | undefined {
    const { definition, parts } = this.#options;
    const model = modelFor(member, definition, parts.defaultModel);
    if (typeof model === "string") return model;
    this.#make(model);
    return undefined;
  }

  /** @throws GavelError for a chosen model that cannot be used; `InvalidDefinition` if it is a key of no model. */
  checkChoice(chosen: ChosenModel): string | undefined {
    if (typeof chosen !== "string") {
      this.#make(chosen);
      return undefined;
    }
    const keys = Object.keys({ ...this.#options.outer, ...this.#options.definition.models });
    if (keys.includes(chosen)) return undefined;
    const listed = keys.length === 0 ? "the team has none" : `the team has ${keys.join(", ")}`;
    return `there is no model "${chosen}" in models; ${listed}`;
  }

  /** The model of a participant now. @throws GavelError `ModelError` when it has none. */
  model(member: Member): Model {
    const model = this.#definitionFor(member);
    if (typeof model === "string") throw modelError(`${model}.`, { retryable: false, fix: "teamFile" });
    return this.#make(model);
  }

  /** The model of the team's manager now. @throws GavelError `ModelError` when it has none. */
  forManager(key: string | undefined): Model {
    return this.model({ name: `The ${this.#options.definition.kind}`, model: key });
  }

  /** The context of a participant; if a token limit has no size, with the context window of its model. */
  context(member: Member): ContextDefinition | undefined {
    const { context } = member;
    if (context?.kind !== "tokenLimited" || context.size !== undefined) return context;
    return { ...context, size: this.window(member) };
  }

  /** The maximum size of a request to a participant's model and its fallbacks, in tokens; undefined if it is not known. */
  window(member: Member): number | undefined {
    const model = this.#definitionFor(member);
    if (typeof model === "string") return undefined;
    const windows = [model, ...this.#fallbacks(model)].map(contextWindow).filter((size) => size !== undefined);
    return windows.length === 0 ? undefined : Math.min(...windows);
  }

  /** The models that answer when this one cannot. */
  #fallbacks(model: ModelDefinition): ModelDefinition[] {
    const { definition, outer } = this.#options;
    const keys = model.provider === "practice" ? [] : (model.fallback ?? []);
    return keys.flatMap((key) => ownValue(definition.models, key) ?? ownValue(outer, key) ?? []);
  }

  #definitionFor(member: Member): ModelDefinition | string {
    const { ledger, definition, parts } = this.#options;
    const { participants, chosenModel } = ledger.state;
    const own = participants.find(({ name }) => name === member.name)?.chosenModel;
    return this.#chosen(own) ?? this.#chosen(chosenModel) ?? modelFor(member, definition, parts.defaultModel);
  }

  /** Undefined also for a key that the definition has no more. */
  #chosen(chosen: ChosenModel | undefined): ModelDefinition | undefined {
    if (typeof chosen !== "string") return chosen;
    const { definition, outer } = this.#options;
    return ownValue(definition.models, chosen) ?? ownValue(outer, chosen);
  }

  #make(definition: ModelDefinition): Model {
    const known = this.#made.get(definition);
    if (known !== undefined) return known;
    const fallbacks = this.#fallbacks(definition);
    const model = this.#options.parts.model(definition, fallbacks);
    this.#made.set(definition, model);
    return model;
  }
}
