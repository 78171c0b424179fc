import { ModelsStream } from "../../../shared/contract/client-models.ts";
import {
  CredentialsGet,
  EndpointsAllow,
  McpElicit,
  McpInput,
  McpSignIn,
  ProgramsAllow,
  ToolsCall,
} from "../../../shared/contract/client-requests.ts";
import { isRecord } from "../../../shared/json-record.ts";

/** What a request asks of a client, as a sentence names what is missing without it. */
export function askedFor(method: string, params: unknown): string {
  const given = isRecord(params) ? params : {};
  const text = (name: string): string => `"${String(given[name])}"`;
  switch (method) {
    case CredentialsGet.method:
      return `the key ${text("secret")}`;
    case ModelsStream.method:
      return "its language model";
    case ToolsCall.method:
      return `the tool ${text("name")}`;
    case EndpointsAllow.method:
      return `the permission to use ${String(given["origin"])}`;
    case ProgramsAllow.method:
      return `the permission to start ${text("name")}`;
    case McpInput.method:
    case McpSignIn.method:
    case McpElicit.method:
      return "an answer for an MCP server";
    default:
      return "its editor";
  }
}
