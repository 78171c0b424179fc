import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelError } from "../../shared/contract/errors.ts";
import { HostDownError } from "../host/host-errors.ts";
import { ActionableError } from "./actionable-error.ts";
import { errorActionsFor } from "./error-actions-for.ts";

const labelsFor = (error: unknown): readonly string[] =>
  errorActionsFor(error, "file:///w/a.team.yaml").map(({ label }) => label);

test("a request to a host that is down offers to restart it", () => {
  assert.deepEqual(labelsFor(new HostDownError()), ["Restart Host", "Show Log"]);
});

test("an error of the extension offers its own actions, one of the host those of its code", () => {
  assert.deepEqual(labelsFor(new ActionableError("No team.", { label: "Open Team", command: "openTeam" })), [
    "Open Team",
  ]);
  assert.deepEqual(labelsFor(new GavelError("Damaged.", { code: "StorageError" })), ["Show Log"]);
});

test("anything else that was thrown offers nothing", () => {
  assert.deepEqual(labelsFor(new Error("No key is stored.")), []);
  assert.deepEqual(labelsFor("text"), []);
});
