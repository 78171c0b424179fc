import assert from "node:assert/strict";
import { it } from "node:test";
import { eventRow } from "../events/event-rows.ts";
import { creationOf } from "../records/new-team.ts";
import { sampleRun, sampleTeam } from "../testing/sample-events.ts";
import { WriteConnection } from "./write-connection.ts";

it("events are stored with one statement each, and those that belong to them, in one transaction without savepoints", () => {
  using connection = new WriteConnection(undefined);
  const createdAt = "2026-01-01T00:00:00.000Z";
  const team = { teamId: "t", definition: sampleTeam, uri: undefined, createdAt };
  const [created] = connection.execute([{ kind: "run", statements: creationOf(team) }]);
  assert.ok(created !== undefined && "value" in created);

  const rows = [...sampleRun(2)].map((event) => eventRow(1, event));
  const statements: string[] = [];
  const run = connection.run.bind(connection);
  connection.run = (sql, ...values) => {
    statements.push(sql);
    return run(sql, ...values);
  };
  connection.execute([
    { kind: "team", team: 1, claim: false, after: 0, rows },
    { kind: "release", team: 1 },
  ]);
  const following = rows.reduce((sum, row) => sum + row.following.length, 0);
  assert.equal(statements.length, 1 + rows.length + following + 1, statements.join("\n"));
  assert.deepEqual([statements.at(0), statements.at(-1)], ["BEGIN IMMEDIATE", "COMMIT"]);
  // A call of a function from SQL would cost more than the insertion.
  assert.ok(statements.every((sql) => !(sql.includes("INTO events") && sql.includes("rowSum"))));
});
