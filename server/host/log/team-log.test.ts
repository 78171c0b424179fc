import assert from "node:assert/strict";
import { test } from "node:test";
import { TeamLog } from "./team-log.ts";

test("the log says how long a run lasted, also when the clock was set back during the run", () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log = new TeamLog({ error: write, warn: write, info: write, debug: write }, "Talk", "t");
  const usage = { prompt: 0, completion: 0, total: 0 };

  log.event({ seq: 1, at: "2026-01-01T12:00:00.000Z", runId: "r", type: "run/started", cause: "run" });
  const ended = { type: "run/ended", stopReason: null, status: { code: "success" }, usage } as const;
  log.event({ seq: 2, at: "2026-01-01T10:00:00.000Z", runId: "r", ...ended });

  assert.match(lines[1] ?? "", /^Run r of team "Talk" \(t\): ended after \d+ ms: success, 0 tokens, 0 messages\.$/);
});
