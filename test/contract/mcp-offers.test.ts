import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MCPMock } from "@copilotkit/aimock";
import {
  McpChange,
  McpComplete,
  McpGetPrompt,
  McpList,
  McpOffers,
  McpReadResource,
  TeamOpen,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { everything, fixture, withServers } from "./harness/mcp.ts";

/** A host with one server in the user's settings; `started` starts it. */
async function hostWith(server: unknown) {
  const asked: unknown[] = [];
  const host = await HostClient.start({
    settings: { "gavel.mcp.servers": { srv: server } },
    onProgram: (question) => asked.push(question) > 0,
  });
  const offers = async () => {
    const [found] = (await host.send(McpOffers, {})).servers;
    assert.ok(found);
    return found;
  };
  const { server: id } = await offers();
  return { host, asked, offers, id, start: () => host.send(McpChange, { id, action: "start" }) };
}

describe("prompts of an MCP server", () => {
  it("are listed once it runs, completed by it, and filled in", async () => {
    const { host, asked, offers, id, start } = await hostWith(everything);
    await using _ = host;
    assert.partialDeepStrictEqual(await offers(), { name: "srv", state: "stopped", prompts: [], resources: [] });
    assert.deepEqual(asked, []);
    await start();
    const { prompts } = await offers();
    const prompt = "completable-prompt";
    assert.partialDeepStrictEqual(
      prompts.find(({ name }) => name === prompt),
      { title: "Team Management", arguments: [{ name: "department", required: true }, { name: "name" }] },
    );
    const of = { prompt };
    const asking = { server: id, of, given: {} };
    const departments = await host.send(McpComplete, { ...asking, argument: "department", value: "S" });
    assert.deepEqual(departments.values, ["Sales", "Support"]);
    const given = { department: "Sales" };
    const names = await host.send(McpComplete, { ...asking, argument: "name", value: "", given });
    assert.deepEqual(names.values, ["David", "Eve", "Frank"]);
    const filled = await host.send(McpGetPrompt, { server: id, prompt, arguments: { ...given, name: "Eve" } });
    assert.deepEqual(filled.messages, [
      { role: "user", part: { type: "text", text: "Please promote Eve to the head of the Sales team." } },
    ]);
  });

  it("have their resources marked as such, and a mistake in an argument is an error of the server", async () => {
    const { host, id, start } = await hostWith(everything);
    await using _ = host;
    await start();
    const prompt = { server: id, prompt: "resource-prompt" };
    const values = { resourceType: "Text", resourceId: "1" };
    const { messages } = await host.send(McpGetPrompt, { ...prompt, arguments: values });
    assert.partialDeepStrictEqual(messages[1]?.part, {
      resource: { kind: "resource", uri: "demo://resource/dynamic/text/1" },
    });
    const wrong = await refusal(host.send(McpGetPrompt, { ...prompt, arguments: { ...values, resourceId: "x" } }));
    assert.deepEqual(wrong.data, { code: "McpError", server: "srv" });
    assert.match(wrong.message, /^The MCP server "srv" answered: .*Invalid resourceId/);
  });

  it("of a team's own server are offered for that team, and starting it asks the user", async () => {
    const asked: unknown[] = [];
    await using host = await HostClient.start({ onProgram: (question) => asked.push(question) === 0 });
    await host.send(TeamOpen, { teamId: "t", definition: withServers({ own: everything }, ["own/*"], ["x"]) });
    assert.deepEqual((await host.send(McpOffers, {})).servers, []);
    const [{ server = "" } = {}] = (await host.send(McpOffers, { teamId: "t" })).servers;
    assert.deepEqual(asked, []);
    const refused = await refusal(host.send(McpGetPrompt, { server, prompt: "simple-prompt", arguments: {} }));
    assert.equal(asked.length, 1);
    assert.match(refused.message, /"own" was not started, as the user did not allow it/);
  });
});

describe("resources of an MCP server", () => {
  it("are listed and read, those of templates with what is filled in, and known when it does not run", async () => {
    const { host, offers, id, start } = await hostWith(everything);
    await using _ = host;
    await start();
    const { resources, templates } = await offers();
    const uri = resources[0]?.uri ?? "";
    const read = await host.send(McpReadResource, { server: id, resource: { uri } });
    assert.partialDeepStrictEqual(read, { uri, parts: [{ type: "text", resource: { kind: "resource", uri } }] });
    const template = templates[0]?.template ?? "";
    assert.match(template, /\{resourceId\}/);
    const resource = { template, arguments: { resourceId: "7" } };
    const seventh = await host.send(McpReadResource, { server: id, resource });
    assert.equal(seventh.uri, template.replace("{resourceId}", "7"));
    await host.send(McpChange, { id, action: "stop" });
    assert.deepEqual((await offers()).resources, resources);
    const halted = await refusal(host.send(McpReadResource, { server: id, resource: { uri } }));
    assert.match(halted.message, /was stopped by the user/);
  });
});

describe("what a hostile MCP server offers", () => {
  it("is left out where it cannot be shown or is too much, and the rest is shown as plain text", async () => {
    const { host, offers, id, start } = await hostWith(fixture("offers"));
    await using _ = host;
    await start();
    const { prompts, resources, templates } = await offers();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ["ok", "$(trash) [x](command:y)"],
    );
    assert.equal(prompts[0]?.description, "two lines");
    assert.equal(resources.length, 500);
    assert.deepEqual(templates, []);
    const huge = await refusal(host.send(McpReadResource, { server: id, resource: { uri: "a://huge" } }));
    assert.match(huge.message, /^The resource has 1024 KB of text, and at most 256 KB can be sent\./);
    const { values } = await host.send(McpComplete, {
      server: id,
      of: { prompt: "ok" },
      argument: "a",
      value: "",
      given: {},
    });
    assert.deepEqual(values, ["fine"]);
  });
});

describe("an MCP server over Streamable HTTP that this project did not write", () => {
  it("gives its tools, prompts and resources", async () => {
    const mock = new MCPMock()
      .addTool({ name: "greet", description: "Greets.", inputSchema: { type: "object" } })
      .onToolCall("greet", () => "hello")
      .addPrompt({ name: "review", description: "Reviews.", arguments: [{ name: "file", required: true }] }, () => ({
        messages: [{ role: "user", content: { type: "text", text: "Review a.ts" } }],
      }))
      .addResource({ uri: "mock://notes", name: "notes" }, { text: "remember", mimeType: "text/plain" });
    const url = await mock.start();
    try {
      const { host, asked, offers, id, start } = await hostWith({ type: "http", url });
      await using _ = host;
      await start();
      assert.partialDeepStrictEqual(asked, [{ start: { url } }]);
      assert.partialDeepStrictEqual((await host.send(McpList, {})).servers, [
        { state: "running", tools: ["srv/greet", "srv/listResources", "srv/readResource"] },
      ]);
      const { prompts, resources } = await offers();
      assert.partialDeepStrictEqual(prompts, [{ name: "review", arguments: [{ name: "file", required: true }] }]);
      assert.partialDeepStrictEqual(resources, [{ uri: "mock://notes", name: "notes" }]);
      const filled = await host.send(McpGetPrompt, { server: id, prompt: "review", arguments: { file: "a.ts" } });
      assert.partialDeepStrictEqual(filled.messages, [{ part: { text: "Review a.ts" } }]);
      const { parts } = await host.send(McpReadResource, { server: id, resource: { uri: "mock://notes" } });
      assert.partialDeepStrictEqual(parts, [{ text: "remember" }]);
    } finally {
      await mock.stop();
    }
  });
});
