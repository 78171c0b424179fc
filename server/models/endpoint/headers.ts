import type { OpenAiApiModel } from "./endpoint-model.ts";
import type { Key } from "./key.ts";

/**
 * The headers of a request. Of the environment, only the organization and project are used, and only for OpenAI's own
 * endpoint: what is in the environment must not be sent anywhere that the team file does not name.
 */
export function headersFor(definition: OpenAiApiModel, key: Key): Readonly<Record<string, string>> {
  return {
    Accept: "application/json",
    "Content-Type": "application/json",
    "User-Agent": "Gavel",
    ...accountHeaders(definition),
    ...keyHeaders(definition, key),
  };
}

function accountHeaders({ provider, ...where }: OpenAiApiModel): Readonly<Record<string, string>> {
  if (provider !== "openai" || ("baseUrl" in where && where.baseUrl !== undefined)) return {};
  const organization = process.env["OPENAI_ORG_ID"]?.trim() ?? "";
  const project = process.env["OPENAI_PROJECT_ID"]?.trim() ?? "";
  return {
    ...(organization === "" ? {} : { "OpenAI-Organization": organization }),
    ...(project === "" ? {} : { "OpenAI-Project": project }),
  };
}

function keyHeaders({ provider }: OpenAiApiModel, { value }: Key): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  return provider === "azure" ? { "api-key": value } : { Authorization: `Bearer ${value}` };
}
