import { KINDS_WITH_SETTINGS } from "../../server/host/definition/manager-checks.ts";
import { irrelevantKeys } from "../../server/host/definition/participant-kinds.ts";
import { CONTEXT_SIZES } from "../../server/host/definition/participant-settings-checks.ts";
import { ParticipantKind } from "../../shared/contract/definition.ts";
import type { JsonSchema } from "./json-schema.ts";

const is = (key: string, values: readonly string[]): JsonSchema => ({
  required: [key],
  properties: { [key]: { enum: values } },
});

const without = (keys: readonly string[]): JsonSchema => ({
  properties: Object.fromEntries(keys.map((key) => [key, false])),
});

/** A rule for values that match `condition`; editors then report the rule's own error instead of that of a choice. */
const when = (condition: JsonSchema, rule: JsonSchema): JsonSchema => ({ if: { not: condition }, else: rule });

const oneKey: JsonSchema = { minProperties: 1 };

const nesting = is("kind", ["team", "societyOfMind"]);

/** Further checks of the host that a JSON Schema can express, by definition. */
export const RULES: Readonly<Record<string, JsonSchema>> = {
  Condition: { minProperties: 1, maxProperties: 1 },
  Watched: { minProperties: 1 },
  Team: {
    allOf: KINDS_WITH_SETTINGS.map((kind) => ({ if: is("kind", [kind]), else: without([kind]) })),
  },
  Participant: {
    allOf: [
      { if: { required: ["agent"] }, else: { required: ["name"] } },
      when(nesting, { required: ["team"] }),
      { if: nesting, else: without(["team"]) },
      when(is("kind", ["acp"]), { required: ["command"] }),
      when(is("kind", ["a2a"]), { required: ["url"] }),
      ...ParticipantKind.options.map((kind) =>
        when(is("kind", [kind]), without(irrelevantKeys(kind).filter((key) => key !== "team"))),
      ),
    ],
  },
  Context: {
    allOf: [
      ...Object.entries(CONTEXT_SIZES).map(([kind, sizes]) =>
        when(is("kind", [kind]), without(["size", "head", "tail"].filter((key) => !sizes.includes(key)))),
      ),
      when(is("kind", ["headAndTail"]), { anyOf: [{ required: ["head"] }, { required: ["tail"] }] }),
    ],
  },
};

/** Further checks by definition and key. */
export const KEY_RULES: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  Condition: { tokenUsage: oneKey, budget: oneKey },
  OpenAiModel: { baseUrl: { pattern: "^https?://" } },
  AnthropicModel: { baseUrl: { pattern: "^https?://" } },
  GeminiModel: { baseUrl: { pattern: "^https?://" } },
  Participant: { url: { pattern: "^https?://" } },
  AzureModel: { endpoint: { pattern: "^https?://" } },
};
