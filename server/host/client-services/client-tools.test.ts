import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { ClientRequests } from "./client-requests.ts";
import { ClientTools } from "./client-tools.ts";

const unreachable: ClientRequests = { send: () => Promise.reject(new Error("No client is asked here.")) };
const client = { requests: unreachable, isConnected: true };
const pay: ToolDeclaration = {
  name: "pay",
  description: "Pays.",
  inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
};

test("the input of a tool that a client registered or a team declares is validated against its schema", () => {
  const tools = new ClientTools(() => client, []);
  tools.register(client, [pay]);

  for (const tool of [tools.get("pay"), tools.toolFor(pay)]) {
    assert.deepEqual(tool?.prepare?.({ amount: 5 }), { amount: 5 });
    assert.throws(() => tool?.prepare?.({ amount: "5" }), {
      message: "The input of pay is not valid: amount: is of type string and has to be number.",
    });
  }
});
