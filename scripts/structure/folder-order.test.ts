import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orderViolations } from "./folder-order.ts";

const orders = { "server/engine": ["log", "run", "team"] };

describe("the order of folders", () => {
  it("lets a folder import those below it, files beside the folders, and what lies outside", () => {
    const imports = ["../log/ledger.ts", "./turns.ts", "../model.ts", "../../../shared/errors.ts", "zod"];
    const file = { file: "server/engine/run/run.ts", imports: imports.map((specifier) => ({ specifier, line: 1 })) };
    assert.deepEqual(orderViolations([file], orders), []);
  });

  it("refuses an import from below, and names both folders", () => {
    const imports = [{ specifier: "../team/team.ts", line: 3 }];
    const [violation] = orderViolations([{ file: "server/engine/log/ledger.ts", imports }], orders);
    assert.equal(violation?.line, 3);
    assert.equal(violation?.rule, "In server/engine/, log/ is below team/ and must not import it.");
  });

  it("asks for a place for a folder that it does not name", () => {
    const [violation] = orderViolations([{ file: "server/engine/attic/box.ts", imports: [] }], orders);
    assert.match(violation?.rule ?? "", /server\/engine\/attic\/ has no place in the order/);
  });
});
