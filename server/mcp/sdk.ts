/** Everything that speaks the Model Context Protocol: a bundle of its own, which the first server that is needed loads. */
export { McpConnection } from "./connection.ts";
export { filledTemplate } from "./offers.ts";
export { readServerFile } from "./server-file.ts";
