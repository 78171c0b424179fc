import type { Content, GenerateContentConfig, GenerateContentParameters, Part, ThinkingLevel } from "@google/genai/web";
import type { GeminiModel } from "../../../shared/contract/definition.ts";
import type { ContentPart } from "../../../shared/contract/message.ts";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { legalName } from "../request/legal-names.ts";
import {
  argumentsObject,
  CONTINUE_PROMPT,
  endsWithPartial,
  GO_ON_PROMPT,
  type ItemOf,
  imagesIntroduction,
  resultImages,
  resultText,
  START_PROMPT,
  speakerPrefix,
  withPrefix,
} from "../request/message-text.ts";
import { signatureOf } from "./thought-signature.ts";

/** In place of a signature, for calls of another model: the API refuses a call without any ("Thought signatures", FAQ). */
const UNSIGNED = "skip_thought_signature_validator";

/** What the SDK accepts as a request, with contents of one form alone. */
type GeminiRequest = GenerateContentParameters & { readonly contents: Content[] };

/** The request of the Gemini API for a model request. */
export function geminiRequest(
  definition: GeminiModel,
  { instructions, items, tools, output }: ModelRequest,
): GeminiRequest {
  const { model, temperature, maxTokens } = definition;
  const config: GenerateContentConfig = {
    ...(instructions === "" ? {} : { systemInstruction: instructions }),
    ...(tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
                name,
                description,
                parametersJsonSchema: inputSchema,
              })),
            },
          ],
        }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...thinkingOf(definition),
    ...(output === undefined ? {} : { responseMimeType: "application/json", responseJsonSchema: output.schema }),
    automaticFunctionCalling: { disable: true },
  };
  return { model, contents: contentsOf(items, model), config };
}

/** Thoughts are shown where the model is told how long to think: models that do not think refuse to be asked for them. */
function thinkingOf({ reasoning }: GeminiModel): Pick<GenerateContentConfig, "thinkingConfig"> {
  if (reasoning === undefined) return {};
  const { effort, budgetTokens } = reasoning;
  return {
    thinkingConfig: {
      includeThoughts: true,
      ...(effort === undefined ? {} : { thinkingLevel: LEVELS[effort] as ThinkingLevel }),
      ...(budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens }),
    },
  };
}

const LEVELS = { minimal: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const;

/** Contents of one role in a row are one; results of calls come first in theirs. */
function contentsOf(items: readonly ContextItem[], model: string): Content[] {
  const ids = ownIds(items);
  const contents: Turn[] = [];
  const add = (role: Turn["role"], parts: readonly Part[]): void => {
    if (parts.length === 0) return;
    const last = contents.at(-1);
    if (last?.role === role) contents.splice(-1, 1, { role, parts: resultsFirst([...last.parts, ...parts]) });
    else contents.push({ role, parts });
  };
  for (const item of items) {
    if (item.role === "assistant") add("model", modelParts(item, ids, model));
    else add("user", item.role === "tool" ? resultParts(item, ids) : userParts(item));
  }
  if (contents[0]?.role !== "user") contents.unshift({ role: "user", parts: [{ text: START_PROMPT }] });
  if (endsWithPartial(items)) add("user", [{ text: CONTINUE_PROMPT }]);
  else if (contents.at(-1)?.role === "model") add("user", [{ text: GO_ON_PROMPT }]);
  return contents.map(({ role, parts }) => ({ role, parts: [...parts] }));
}

interface Turn {
  readonly role: "user" | "model";
  readonly parts: readonly Part[];
}

const resultsFirst = (parts: readonly Part[]): Part[] => [
  ...parts.filter(({ functionResponse }) => functionResponse !== undefined),
  ...parts.filter(({ functionResponse }) => functionResponse === undefined),
];

/** The model's own ids of calls, by ref: without one, a result belongs to its call by name and order. */
function ownIds(items: readonly ContextItem[]): ReadonlyMap<string, string> {
  const calls = items.flatMap((item) => (item.role === "assistant" ? item.calls : []));
  return new Map(calls.flatMap(({ ref, id }) => (id === undefined ? [] : [[ref, id]])));
}

function modelParts({ content, calls }: ItemOf<"assistant">, ids: ReadonlyMap<string, string>, model: string): Part[] {
  const text: Part[] = content.trim() === "" ? [] : [{ text: content }];
  return [
    ...text,
    ...calls.map(({ ref, name, input, signedThoughts }, at): Part => {
      const id = ids.get(ref);
      const thoughtSignature = signatureOf(signedThoughts, model) ?? (at === 0 ? UNSIGNED : "");
      return {
        functionCall: {
          ...(id === undefined ? {} : { id }),
          name: legalName(name),
          args: { ...argumentsObject(input) },
        },
        ...(thoughtSignature === "" ? {} : { thoughtSignature }),
      };
    }),
  ];
}

/** The result, and its images beside it: not every model takes them within one. */
function resultParts(item: ItemOf<"tool">, ids: ReadonlyMap<string, string>): Part[] {
  const id = ids.get(item.ref);
  const text = resultText({ ...item, isError: false });
  const images = resultImages(item);
  const result = {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name: legalName(item.name),
      response: item.isError ? { error: text } : { output: text },
    },
  };
  return images.length === 0 ? [result] : [result, { text: imagesIntroduction(item.name) }, ...images.map(partOf)];
}

/** This API's contents have no name, so the text names the speaker. */
function userParts({ source, content }: ItemOf<"user">): Part[] {
  const prefix = speakerPrefix(source);
  if (typeof content === "string") return [{ text: `${prefix}${content}` }];
  return withPrefix(prefix, content).map(partOf);
}

function partOf(part: ContentPart): Part {
  if (part.type === "text") return { text: part.text };
  if (/^https?:/i.test(part.uri)) return { fileData: { fileUri: part.uri, mimeType: part.mimeType ?? "image/png" } };
  const [, mimeType, data] = /^data:(image\/[a-z0-9.+-]+);base64,(.*)$/is.exec(part.uri) ?? [];
  if (mimeType === undefined || data === undefined) return { text: "[An image is not attached: it is no image.]" };
  return { inlineData: { mimeType: mimeType.toLowerCase(), data } };
}
