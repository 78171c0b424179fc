import assert from "node:assert/strict";
import { test } from "node:test";
import { findNames } from "./find-names.ts";

const cases: readonly [text: string, names: readonly string[], found: readonly string[]][] = [
  ["ann", ["ann", "bob"], ["ann"]],
  ["**ann**, because bobby is away", ["ann", "bob"], ["ann"]],
  ["ann. No: ann!", ["ann", "bob"], ["ann"]],
  ["bob, then ann", ["ann", "bob"], ["ann", "bob"]],
  ["Ann", ["ann"], []],
  ["planner_2", ["planner", "planner_2"], ["planner_2"]],
  ["planner 2", ["planner", "planner_2"], ["planner_2"]],
  ["planner\\_2", ["planner", "planner_2"], ["planner_2"]],
  ["planner\\_3", ["planner"], []],
  ["planner\\_2 and planner", ["planner", "planner_2"], ["planner", "planner_2"]],
  ["data-team", ["data", "data-team", "team"], ["data-team"]],
  ["a data-driven choice", ["data", "data-team"], []],
  ["big-data", ["data"], []],
  ["- data", ["data"], ["data"]],
  ["-data-", ["data"], ["data"]],
  ["müllerin", ["müller", "in"], []],
  ["müller", ["müller"], ["müller"]],
  ["c++ is next", ["c++", "c"], ["c++"]],
  ["anyone", [], []],
];

for (const [text, names, found] of cases) {
  test(`"${text}" names ${found.join(" and ") || "none"} of ${names.join(", ") || "no participant"}`, () => {
    assert.deepEqual(findNames(text, names), found);
  });
}
