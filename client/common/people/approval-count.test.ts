import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "../../../shared/contract/people.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { approvalCount, approvalCountText, otherApproved } from "./approval-count.ts";

const names: Readonly<Record<string, string>> = { user: "you", ana: "Ana", ben: "Ben", eva: "Eva" };
const nameOf = (id: string): string => names[id] ?? id;

function team(roles: Readonly<Record<string, Role>>, from?: string[]) {
  const people = Object.entries(roles).map(([id, role]) => ({ id, name: nameOf(id), role }));
  const chair = people.find(({ role }) => role === "chair")?.id ?? "user";
  return { chair, people, ...(from === undefined ? {} : { approvers: { required: 2, from } }) };
}

const call = (required: number | undefined, ...by: string[]) => ({
  approval: true as const,
  ...(required === undefined ? {} : { required }),
  approvals: by.map((id) => ({ by: id, at: "2026-01-01T00:00:00.000Z" })),
});

function shown(of: ReturnType<typeof team>, asked: ReturnType<typeof call>) {
  const count = approvalCount(of, asked, "user");
  return [count.own, approvalCountText(count, "user", nameOf)];
}

const all = team({ user: "member", ana: "chair", ben: "member", eva: "member" });

test("a call that needs several approvals says who has approved it and who has to", () => {
  assert.deepEqual(shown(all, call(2)), [
    "decide",
    "0 of 2 approvals. After you, Ana, Ben, or Eva has to approve too.",
  ]);
  assert.deepEqual(shown(all, call(2, "ana")), ["decide", "1 of 2 approvals: Ana. Yours is the last one."]);
  assert.deepEqual(shown(all, call(2, "user")), [
    "approved",
    "1 of 2 approvals: you. Ana, Ben, or Eva has to approve too.",
  ]);
  assert.deepEqual(shown(all, call(4, "ana", "user")), [
    "approved",
    "2 of 4 approvals: Ana and you. Ben and Eva have to approve too.",
  ]);
  assert.deepEqual(shown(all, call(3, "user")), [
    "approved",
    "1 of 3 approvals: you. 2 of Ana, Ben, and Eva have to approve too.",
  ]);
});

test("one that needs more users than the team has says so", () => {
  const two = team({ user: "chair", ben: "member" });
  assert.equal(shown(two, call(3, "user"))[1], "1 of 3 approvals: you. Ben and 1 more user have to approve too.");
  const alone = team({ user: "chair" });
  assert.equal(
    shown(alone, call(2, "user"))[1],
    "1 of 2 approvals: you. 1 more user has to open this team and approve too.",
  );
});

test("who may not decide is told who may, and an observer does not count", () => {
  const chosen = team({ user: "member", ana: "chair", ben: "member", eva: "observer" }, ["ana", "ben"]);
  assert.deepEqual(shown(chosen, call(2, "ana")), [
    "others",
    "1 of 2 approvals: Ana. Only Ben may decide on this call.",
  ]);
  assert.deepEqual(shown(chosen, call(undefined)), ["others", "Only Ana or Ben may decide on this call."]);
  const watching = team({ user: "observer", ana: "chair", eva: "observer" });
  assert.deepEqual(shown(watching, call(2, "eva")), [
    "observer",
    "0 of 2 approvals. Ana and 1 more user have to approve too.",
  ]);
});

test("a call that one user decides on says nothing", () => {
  assert.deepEqual(shown(all, call(undefined)), ["decide", undefined]);
});

test("what others approved is told where it is not what the call proposes", () => {
  const proposed = { input: { command: "ls" } };
  const under = (how: "restart" | "respond", value: unknown): Pick<PendingTool, "underApproval"> => ({
    underApproval: { how, value },
  });
  assert.equal(otherApproved(proposed), undefined);
  assert.equal(otherApproved({ ...proposed, ...under("restart", { command: "ls" }) }), undefined);
  assert.deepEqual(otherApproved({ ...proposed, ...under("restart", { command: "pwd" }) })?.value, { command: "pwd" });
  assert.equal(otherApproved({ ...proposed, ...under("respond", "done") })?.value, "done");
});
