import assert from "node:assert/strict";
import { it } from "node:test";
import { storable, stored, toPostgres } from "./to-postgres.ts";

it("parameters get numbers, and names with capital letters quotes", () => {
  assert.equal(
    toPostgres("SELECT teamId FROM editedTurns WHERE team = ? AND turn = ? LIMIT 5"),
    'SELECT "teamId" FROM "editedTurns" WHERE team = $1 AND turn = $2 LIMIT 5',
  );
  assert.equal(toPostgres("UPDATE a SET b = ?1 WHERE c = ?2 OR d = ?1"), "UPDATE a SET b = $1 WHERE c = $2 OR d = $1");
});

it("what is in quotes stays as it is", () => {
  assert.equal(
    toPostgres(`SELECT '? teamId ''it''', strpos(a, '"$texts"')`),
    `SELECT '? teamId ''it''', strpos(a, '"$texts"')`,
  );
});

it("checksums are left out, and JSON is read by a function", () => {
  assert.equal(
    toPostgres("UPDATE a SET sum = rowSum('a', ?1, coalesce(b, 0)) WHERE b = ?1"),
    "UPDATE a SET sum = 0 WHERE b = $1",
  );
  assert.equal(
    toPostgres("SELECT json ->> '$.type', json -> '$.path', json ->> '$.message.id' FROM a WHERE json_valid(json)"),
    `SELECT "jsonText"(json, '{type}'), "jsonText"(json, '{path}'), "jsonText"(json, '{message,id}') FROM a WHERE TRUE`,
  );
});

it("a text with U+0000 can be stored, and so can one with the character that stands for it", () => {
  for (const text of ["", "a\0b", "\u{10FFFF}", "\u{10FFFF}0", "\0\u{10FFFF}1\0", "plain"]) {
    assert.ok(!storable(text).includes("\0"));
    assert.equal(stored(storable(text)), text);
  }
});
