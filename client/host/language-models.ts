import type { CancellationToken, Disposable, LanguageModelChat } from "vscode";
import * as vscode from "vscode";
import { LanguageModelChatMessage, LanguageModelChatMessageRole, LanguageModelError, lm } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import {
  type ClientModelContent,
  type ClientModelFailure,
  type ClientModelMessage,
  type ClientModelPart,
  ModelsPart,
  ModelsStream,
} from "../../shared/contract/client-models.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import { isRecord } from "../../shared/json-record.ts";
import { isMeant } from "../common/model-name.ts";

type Params = ParamsOf<typeof ModelsStream>;
type Result = ResultOf<typeof ModelsStream>;

/** Why VS Code asks the user for consent, in its dialog. */
const JUSTIFICATION = "A participant of a Gavel team uses this model.";

/**
 * Answers the host's requests for models with VS Code's language models, until the result is disposed of. When there are
 * others, the host asks again for the settings, as the default model is one of them.
 */
export function registerLanguageModels(
  client: LanguageClient,
  mayUse: (model: LanguageModelChat) => boolean | undefined,
): Disposable {
  client.onRequest<Result, unknown>(ModelsStream.method, (params: unknown, token: CancellationToken) => {
    const request = ModelsStream.params.parse(params);
    const send = (sent: Omit<ParamsOf<typeof ModelsPart>, "requestId">): void =>
      void client.sendNotification(ModelsPart.method, { requestId: request.requestId, ...sent });
    return answer(request, token, mayUse, send);
  });
  return lm.onDidChangeChatModels(() => {
    if (client.isRunning()) void client.sendNotification("workspace/didChangeConfiguration", { settings: null });
  });
}

/** The models that fit a definition, as VS Code lists them. */
async function languageModels(wanted: Pick<Params, "vendor" | "model">): Promise<LanguageModelChat[]> {
  const { vendor } = wanted;
  const offered = await lm.selectChatModels(vendor === undefined ? {} : { vendor });
  return offered.filter((one) => isMeant(wanted, one));
}

async function answer(
  request: Params,
  token: CancellationToken,
  mayUse: (model: LanguageModelChat) => boolean | undefined,
  send: (sent: Omit<ParamsOf<typeof ModelsPart>, "requestId">) => void,
): Promise<Result> {
  try {
    const [model] = await languageModels(request);
    if (model === undefined) return { failure: "notFound", message: "there is no such model" };
    const { tools, maxTokens } = request;
    const asksUser = mayUse(model) === undefined;
    // VS Code asks in a dialog; the request is sent once it is answered.
    if (asksUser) send({ parts: [], asksUser: true });
    const response = await model.sendRequest(
      request.messages.map(messageFor),
      {
        justification: JUSTIFICATION,
        ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ ...tool })) }),
        ...(maxTokens === undefined ? {} : { modelOptions: { max_tokens: maxTokens } }),
      },
      token,
    );
    if (asksUser) send({ parts: [], asksUser: false });
    let usage: { readonly prompt: number; readonly completion: number } | undefined;
    for await (const part of response.stream) {
      if (token.isCancellationRequested) break;
      const read = partOf(part);
      if (read !== undefined) send({ parts: [read] });
      usage = usageIn(part) ?? usage;
    }
    return usage === undefined ? {} : { usage };
  } catch (error) {
    return { failure: failureOf(error), message: messageOf(error).slice(0, LONGEST_MESSAGE) };
  }
}

const LONGEST_MESSAGE = 300;

const FAILURES: Readonly<Record<string, ClientModelFailure>> = {
  NotFound: "notFound",
  NoPermissions: "notAllowed",
  Blocked: "refused",
};

const failureOf = (error: unknown): ClientModelFailure =>
  error instanceof LanguageModelError ? (FAILURES[error.code] ?? "failed") : "failed";

function messageFor({ role, content }: ClientModelMessage): LanguageModelChatMessage {
  const { Assistant, User } = LanguageModelChatMessageRole;
  return new LanguageModelChatMessage(role === "user" ? User : Assistant, content.map(contentPart));
}

function contentPart(part: ClientModelContent) {
  switch (part.type) {
    case "text":
      return new vscode.LanguageModelTextPart(part.text);
    case "image":
      return imagePart(part.uri);
    case "call":
      return new vscode.LanguageModelToolCallPart(part.id, part.name, { ...part.input });
    case "result":
      return new vscode.LanguageModelToolResultPart(part.id, [new vscode.LanguageModelTextPart(part.text)]);
    default:
      return part satisfies never;
  }
}

/** VS Code from 1.104 on sends images; before, the model is told that there was one. */
function imagePart(uri: string): vscode.LanguageModelTextPart {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(uri) ?? [];
  const makesImage: unknown = Reflect.get(Reflect.get(vscode, "LanguageModelDataPart") ?? {}, "image");
  if (type === undefined || data === undefined)
    return new vscode.LanguageModelTextPart(`[An image: ${uri.slice(0, 500)}]`);
  if (typeof makesImage !== "function")
    return new vscode.LanguageModelTextPart("[An image that cannot be shown to this model]");
  return makesImage(Buffer.from(data, "base64"), type);
}

/** The part of an answer that the host is told. What this version does not know is left out. */
function partOf(part: unknown): ClientModelPart | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", delta: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: "call", id: part.callId, name: part.name, input: part.input };
  }
  return undefined;
}

/** Some models report their usage in a data part of this type, in the form of OpenAI's API. */
function usageIn(part: unknown): { readonly prompt: number; readonly completion: number } | undefined {
  if (!isRecord(part) || part["mimeType"] !== "usage" || !(part["data"] instanceof Uint8Array)) return undefined;
  try {
    const usage: unknown = JSON.parse(new TextDecoder().decode(part["data"]));
    if (!isRecord(usage)) return undefined;
    const { prompt_tokens: prompt, completion_tokens: completion } = usage;
    return isCount(prompt) && isCount(completion) ? { prompt, completion } : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0 && Number.isFinite(value);
