import { isRecord } from "../../../shared/json-record.ts";

/** True for a component as written by AutoGen's `dump_component`. No team definition of Gavel looks like that. */
export function isAutoGenComponent(json: unknown): boolean {
  if (!isRecord(json)) return false;
  const { provider, component_type: type, config } = json;
  return typeof provider === "string" && (typeof type === "string" || (typeof config === "object" && config !== null));
}
