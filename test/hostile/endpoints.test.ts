import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import { test } from "node:test";
import * as z from "zod";
import { createModel, type ModelAccess } from "../../server/models/index.ts";
import { collect } from "../../server/models/testing/collect.ts";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import json from "./endpoints.json" with { type: "json" };

const Corpus = z.array(z.strictObject({ url: z.string(), origin: z.string(), asks: z.boolean() }));
const corpus = Corpus.parse(json);

/** Node announces each request of `node:http` and `node:https` here, before it connects or looks up the host's name. */
const REQUESTS = "http.client.request.created";

/** Calls a model at an address, and stops where the user is asked or the request begins. */
async function firstStep(definition: ModelDefinition): Promise<string> {
  const steps: string[] = [];
  const stop = new AbortController();
  const access: ModelAccess = {
    get: async () => "a-key",
    isAllowed: async ({ origin }) => {
      steps.push(`asks ${origin}`);
      return false;
    },
  };
  const created = (message: unknown): void => {
    const { request } = z.object({ request: z.instanceof(ClientRequest) }).parse(message);
    steps.push(`sends ${request.protocol}//${request.getHeader("host")}`);
    queueMicrotask(() => stop.abort());
  };
  channel(REQUESTS).subscribe(created);
  try {
    await collect(createModel(definition, access), undefined, stop.signal);
  } catch (error) {
    assert.ok(error instanceof GavelError, String(error));
    assert.match(error.message, /^Nothing was sent to /);
  } finally {
    channel(REQUESTS).unsubscribe(created);
  }
  return steps.join(", ");
}

for (const { url, origin, asks } of corpus) {
  const expected = `${asks ? "asks" : "sends"} ${origin}`;
  test(`${url}: ${expected}`, async () => {
    assert.equal(await firstStep({ provider: "openai", model: "m", baseUrl: url }), expected);
    assert.equal(await firstStep({ provider: "azure", deployment: "m", endpoint: url }), expected);
  });
}
