import assert from "node:assert/strict";
import { test } from "node:test";
import { initialTeamState } from "../../shared/state/team-state.ts";
import { reportText } from "./report-text.ts";

const state = {
  ...initialTeamState("t1", {
    name: "Payroll",
    description: "Secret work",
    kind: "selector",
    participants: [
      { name: "alice", instructions: "Fire Bob." },
      { name: "carol", instructions: "Fire Bob." },
      { name: "jane", kind: "user" },
    ],
  }),
  threadLength: 12,
  lastSeq: 90,
};

const report = {
  facts: [["Gavel", "0.3.0"]],
  settings: [
    { name: "gavel.sandbox.enabled", value: false, schema: { type: "boolean" } },
    { name: "gavel.approvals", value: "dialog", schema: { enum: ["card", "dialog"] } },
    { name: "gavel.model", value: { provider: "openai", baseUrl: "https://models.corp.example" }, schema: {} },
    { name: "gavel.secretFiles", value: ["payroll.csv"], schema: {} },
  ],
  teams: [
    {
      state,
      tail: [
        {
          type: "error",
          seq: 90,
          at: "2026-03-02T10:40:00Z",
          message: 'models.corp.example refused the key "mine".',
          data: { code: "ModelError", status: 401, secret: "mine", fix: "apiKey", retryable: false },
        },
      ],
    },
  ],
  log: ["10:40:00 [error] The agent host exited unexpectedly.", "```"],
  thread: undefined,
} as const;

test("a report has kinds, sizes and codes, and no name, text or value of the user's", () => {
  const text = reportText(report);
  for (const secret of ["Payroll", "Secret", "alice", "Bob", "jane", "corp", "mine", "payroll"])
    assert.ok(!text.includes(secret), secret);
  for (const part of [
    "- Gavel: 0.3.0",
    "- `gavel.sandbox.enabled`: false",
    "- `gavel.approvals`: dialog",
    "- `gavel.model`: set",
    "- `gavel.secretFiles`: set",
    "- selector, idle; participants: 2 assistant and 1 user; 12 messages; 90 events; 0 pending calls; 0 waiting messages",
    "  - error: code ModelError, status 401, fix apiKey, retryable false",
    "The agent host exited unexpectedly.",
  ])
    assert.ok(text.includes(part), `${part}\n${text}`);
});

test("a line of the log cannot end its block, and the thread is in it only if the user says so", () => {
  assert.equal(reportText(report).split("```").length, 3);
  assert.ok(!reportText(report).includes("## Thread"));
  assert.ok(reportText({ ...report, thread: "Fire Bob." }).includes("## Thread\n\nFire Bob."));
});
