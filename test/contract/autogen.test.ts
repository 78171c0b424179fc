import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { TeamOpen } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const component = (type: string, provider: string, config: object) => ({ provider, component_type: type, config });

/** A team as AutoGen's `dump_component` writes it. */
const team = component("team", "autogen_agentchat.teams.RoundRobinGroupChat", {
  name: "Talk",
  participants: [
    component("agent", "autogen_agentchat.agents.AssistantAgent", {
      name: "ann",
      description: "Ann",
      model_client: component("model", "autogen_ext.models.openai.OpenAIChatCompletionClient", {
        model: "gpt-4o-mini",
        api_key: "sk-secret-123",
      }),
    }),
  ],
});

const LEFT_OUT =
  /^Team "Talk", converted from AutoGen: config\.participants\[0\]\.config\.model_client\.config\.api_key is left out: /;

describe("team/open of a team that AutoGen wrote", () => {
  it("creates it, from a file or a definition, and logs what was left out", async () => {
    using scratch = new Scratch();
    const file = join(scratch.path, "talk.team.json");
    writeFileSync(file, JSON.stringify(team, null, 2));
    for (const source of [{ uri: pathToFileURL(file).href }, { definition: team }]) {
      await using host = await HostClient.start();
      const { name, kind, participants } = await host.send(TeamOpen, source);
      const logs = host.logs.map(({ message }) => message);
      assert.deepEqual(
        [name, kind, participants.map((participant) => participant.name)],
        ["Talk", "roundRobin", ["ann"]],
      );
      assert.equal(logs.filter((line) => LEFT_OUT.test(line)).length, 1, logs.join("\n"));
      assert.doesNotMatch(logs.join("\n"), /sk-secret-123/);
    }
  });

  it("refuses other components, and says which teams can be read", async () => {
    await using host = await HostClient.start();
    const agent = component("agent", "autogen_agentchat.agents.AssistantAgent", { name: "ann" });
    const { code, message } = await refusal(host.send(TeamOpen, { definition: agent }));
    assert.equal(code, -32004);
    assert.match(message, /AssistantAgent is not a team that can be imported; use one of RoundRobinGroupChat/);
  });
});
