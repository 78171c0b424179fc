import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CancellationToken, type Connection, ResponseError } from "vscode-languageserver/node";
import { unknownTeam } from "../../../../shared/contract/errors.ts";
import { TeamStop } from "../../../../shared/contract/requests.ts";
import { bindRequest } from "./bind.ts";
import { OpenRequests } from "./open-requests.ts";

/** What happens, in order, while `team/stop` is answered by this work. */
async function answering(work: () => null): Promise<{ readonly order: readonly string[]; readonly answer: unknown }> {
  const order: string[] = [];
  const handlers: ((...args: unknown[]) => unknown)[] = [];
  const onRequest = (_method: unknown, handler: (...args: unknown[]) => unknown) => {
    handlers.push(handler);
    return { dispose: () => {} };
  };
  const connection = { onRequest: onRequest as Connection["onRequest"] };
  const options = {
    connection,
    requests: new OpenRequests(),
    client: () => assert.fail("This request is the same from every client."),
    settled: async (teamId: string) => void order.push(`${teamId} settled`),
    reportBug: (text: string) => void order.push(text),
  };
  bindRequest(options, TeamStop, () => {
    order.push("work");
    return work();
  });
  const answer = await handlers[0]?.({ teamId: "t" }, CancellationToken.None);
  order.push("answer");
  return { order, answer };
}

describe("the events of a request are sent before its answer", () => {
  it("when it succeeds", async () => {
    const { order, answer } = await answering(() => null);
    assert.deepEqual(order, ["work", "t settled", "answer"]);
    assert.equal(answer, null);
  });

  it("when it fails", async () => {
    const { order, answer } = await answering(() => {
      throw unknownTeam("t");
    });
    assert.deepEqual(order, ["work", "t settled", "answer"]);
    assert.ok(answer instanceof ResponseError);
  });
});
