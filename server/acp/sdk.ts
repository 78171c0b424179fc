/** A bundle of its own, which is loaded when an agent is first started. The unstable part has the usage of a prompt. */

export { client, methods, RequestError } from "@agentclientprotocol/sdk/unstable";
export { checkProgram } from "./check-program.ts";
