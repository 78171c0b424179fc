import { TeamKind } from "../../../shared/contract/definition.ts";
import type { Fault } from "./fault.ts";
import { isRecord, listOf, recordOf } from "./raw.ts";

/** The contexts of this version. */
const CONTEXT_KINDS = ["unbounded", "buffered"];

/** What the contract describes and this version does not do: said when the team is opened, not when it would matter. */
export function notYetFaults(input: unknown, teamKinds: readonly string[]): Fault[] {
  const team = recordOf(input);
  const { kind } = team;
  const faults: Fault[] = [];
  if (TeamKind.safeParse(kind).success && !teamKinds.includes(String(kind))) {
    faults.push({
      path: ["kind"],
      message: `this version has no ${String(kind)} teams yet; use ${teamKinds.join(", ")}`,
    });
  }
  for (const [at, participant] of listOf(team["participants"]).entries()) {
    faults.push(...participantFaults(recordOf(participant), at));
  }
  for (const [name, model] of Object.entries(recordOf(team["models"]))) {
    if (recordOf(model)["api"] !== "responses") continue;
    faults.push({
      path: ["models", name, "api"],
      message: "this version does not speak the Responses API yet; leave `api` out for chat",
    });
  }
  return faults;
}

function participantFaults(participant: Readonly<Record<string, unknown>>, at: number): Fault[] {
  const { kind, context, handoffs, team } = participant;
  const path = ["participants", at] as const;
  const faults: Fault[] = [];
  if (kind === "user" || kind === "team") {
    faults.push({
      path: [...path, "kind"],
      message: `this version has no ${kind} participants yet; leave \`kind\` out`,
    });
  } else if (isRecord(team)) {
    faults.push({ path: [...path, "team"], on: "key", message: "this version has no teams within teams yet" });
  }
  if (listOf(handoffs).length > 0) {
    faults.push({
      path: [...path, "handoffs"],
      on: "key",
      message: "this version has no handoffs yet; leave them out",
    });
  }
  const wanted = recordOf(context)["kind"];
  if (wanted === "headAndTail" || wanted === "tokenLimited") {
    faults.push({
      path: [...path, "context", "kind"],
      message: `this version has no ${wanted} context yet; use ${CONTEXT_KINDS.join(", ")}`,
    });
  }
  return faults;
}
