/**
 * What Gavel uses of OpenAI's SDK. It is a third of the host's code and only needed for requests: import it with `import()`,
 * so that the host starts without it. `esbuild.mjs` makes a separate bundle from this file.
 */
export { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAI } from "openai";
