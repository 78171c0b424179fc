import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { ModelPart, ModelRetry } from "../../engine/model.ts";
import type { KeySource } from "../endpoint/key.ts";
import { httpModel } from "../http-model.ts";
import { definitionAt, sampleRequest, stillClock } from "./collect.ts";
import { rawEndpoint } from "./raw-endpoint.ts";

/** A key store with one key for every name. */
const keysOf = (key: string): KeySource => ({ get: async () => key });

interface Failure {
  readonly error: GavelError;
  readonly parts: readonly ModelPart[];
  readonly retries: readonly ModelRetry[];
}

/** Calls the model and expects it to fail. */
export async function failureFrom(
  url: string,
  more: Partial<OpenAiModel> = {},
  source: KeySource = keysOf("k"),
): Promise<Failure> {
  const parts: ModelPart[] = [];
  const retries: ModelRetry[] = [];
  const { signal } = new AbortController();
  const model = httpModel(definitionAt(url, more), source, stillClock());
  try {
    const context = { signal, onRetry: (retry: ModelRetry) => retries.push(retry) };
    for await (const part of model.stream(sampleRequest, context)) parts.push(part);
  } catch (error) {
    assert.ok(error instanceof GavelError, String(error));
    assert.equal(error.data.code, "ModelError");
    assert.equal(error.data["model"], "gpt-test");
    return { error, parts, retries };
  }
  return assert.fail("The model did not fail.");
}

/** How the model fails when its endpoint always answers like this. */
export async function failureAt(
  answer: (response: ServerResponse) => void,
  more: Partial<OpenAiModel> = {},
  key = "k",
) {
  await using endpoint = await rawEndpoint(answer);
  const failure = await failureFrom(endpoint.url, more, keysOf(key));
  return { ...failure, host: endpoint.host, asked: endpoint.requests.length };
}
