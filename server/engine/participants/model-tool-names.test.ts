import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem, ToolSpec } from "../model.ts";
import { ModelToolNames } from "./model-tool-names.ts";

const spec = (name: string): ToolSpec => ({ name, description: "", inputSchema: {} });
const shown = (...names: readonly string[]): readonly string[] => {
  const tools = names.map(spec);
  return new ModelToolNames(tools).tools(tools).map(({ name }) => name);
};

test("tools of servers get names that models accept, which lead back to them", () => {
  const tools = ["readFile", "files/read_file", "a.b/c d"].map(spec);
  const names = new ModelToolNames(tools);
  assert.deepEqual(
    names.tools(tools).map(({ name }) => name),
    ["readFile", "files_read_file", "a_b_c_d"],
  );
  assert.deepEqual(
    ["readFile", "files_read_file", "other"].map((name) => names.meant(name)),
    ["readFile", "files/read_file", "other"],
  );
});

test("no two tools have the same name, however long or similar their own are", () => {
  assert.deepEqual(shown("a_b", "a/b", "a.b", "a/b_2"), ["a_b", "a_b_2", "a_b_3", "a_b_2_2"]);
  const long = shown(`s/${"x".repeat(100)}1`, `s/${"x".repeat(100)}2`, "/", "💥/");
  assert.equal(new Set(long).size, 4);
  for (const name of long) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
});

test("calls and results in the conversation have the names of their tools, also where a tool is gone", () => {
  const names = new ModelToolNames([spec("a_b"), spec("a/b")]);
  const items: readonly ContextItem[] = [
    { role: "user", source: "user", content: "hi" },
    {
      role: "assistant",
      content: "",
      calls: [
        { ref: "1", name: "a/b", input: {} },
        { ref: "2", name: "gone/tool", input: {} },
      ],
    },
    { role: "tool", ref: "1", name: "a/b", output: "", isError: false },
  ];
  assert.match(JSON.stringify(names.items(items)), /"name":"a_b_2".*"name":"gone_tool".*"name":"a_b_2"/);
  const plain = items.slice(0, 1);
  assert.equal(names.items(plain), plain);
});
