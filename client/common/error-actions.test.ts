import assert from "node:assert/strict";
import { test } from "node:test";
import { FIX_UNTIL_0_3 } from "../../shared/contract/old-names.ts";
import { errorActions, hostDownActions } from "./error-actions.ts";

const FILE = "file:///w/review.team.yaml";

/** The offers as a user sees them, with what each opens. */
function offersFor(data: Readonly<Record<string, unknown>>, teamFile?: string): readonly string[] {
  return errorActions(data, teamFile).map(({ label, argument }) =>
    argument === undefined ? label : `${label}: ${argument}`,
  );
}

test("while the agent host is down it can be restarted, and the log shows why it stopped", () => {
  assert.deepEqual(hostDownActions, [
    { label: "Restart Host", command: "restartHost" },
    { label: "Show Log", command: "showLog" },
  ]);
});

test("a missing or refused API key can be set under the name that the team file gives it", () => {
  const data = { code: "ModelError", fix: "apiKey", secret: "openai", retryable: false };
  assert.deepEqual(offersFor(data, FILE), ["Set API Key: openai", "Try Again", "Check Setup"]);
  assert.deepEqual(offersFor({ ...data, secret: 7 }, FILE), ["Set API Key", "Try Again", "Check Setup"]);
});

test("an error that an older version stored offers the same", () => {
  const stored = { code: "ModelError", [FIX_UNTIL_0_3]: "apiKey", secret: "openai", retryable: false };
  assert.deepEqual(offersFor(stored, FILE), ["Set API Key: openai", "Try Again", "Check Setup"]);
});

test("an endpoint that does not answer is tried again, or its address is corrected where it is written", () => {
  const data = { code: "ModelError", fix: "endpoint", retryable: true };
  assert.deepEqual(offersFor(data, FILE), ["Try Again", `Edit Team File: ${FILE}`, "Check Setup"]);
  assert.deepEqual(offersFor(data), ["Try Again", "Open Settings", "Check Setup"]);
});

test("a model's wrong settings are corrected in the team file, or in the settings where no file names the model", () => {
  const data = { code: "ModelError", fix: "teamFile", retryable: false };
  assert.deepEqual(offersFor(data, FILE), [`Edit Team File: ${FILE}`]);
  assert.deepEqual(offersFor(data), ["Open Settings"]);
  assert.deepEqual(offersFor({ ...data, retryable: true }, FILE), [`Edit Team File: ${FILE}`, "Try Again"]);
});

test("any other model error can be tried again where that may help", () => {
  assert.deepEqual(offersFor({ code: "ModelError", retryable: true }, FILE), ["Try Again"]);
  assert.deepEqual(offersFor({ code: "ModelError", retryable: false }, FILE), []);
});

test("a team file with mistakes opens at the first one that has a place", () => {
  const problems = [{ message: "no place" }, null, { line: 3, column: 7 }, { line: 9 }];
  assert.deepEqual(offersFor({ code: "InvalidDefinition", problems }, FILE), [`Edit Team File: ${FILE}#L3,7`]);
  assert.deepEqual(offersFor({ code: "InvalidDefinition", problems: [{ line: 9 }] }, FILE), [
    `Edit Team File: ${FILE}#L9,1`,
  ]);
  assert.deepEqual(offersFor({ code: "InvalidDefinition", problems: "none" }, FILE), [`Edit Team File: ${FILE}`]);
  assert.deepEqual(offersFor({ code: "InvalidDefinition", problems }), []);
});

test("a fault of the host's own is looked up in the log; a team that is gone is replaced by another", () => {
  assert.deepEqual(offersFor({ code: "StorageError" }, FILE), ["Show Log"]);
  assert.deepEqual(offersFor({ code: "InternalError" }, FILE), ["Show Log"]);
  assert.deepEqual(offersFor({ code: "UnknownTeam" }, FILE), ["Open Team"]);
});

test("an error that the user can only read offers nothing", () => {
  assert.deepEqual(offersFor({ code: "TeamBusy" }, FILE), []);
  assert.deepEqual(offersFor({}, FILE), []);
});
