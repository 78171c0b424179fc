import * as z from "zod";

const text = z.string().max(20_000);
/** Headers of requests to a server or an agent elsewhere. */
export const httpHeaders = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,300}$/, "is not the name of a header; use letters, digits and hyphens"),
  text,
);

const httpUrl = z.url({ protocol: /^https?$/, error: "should be an http or https URL" });

/** A server of the Model Context Protocol that is a program on this machine, as most files of such servers write it. */
export const McpProgram = z.strictObject({
  type: z.literal("stdio").optional(),
  /** Its name on the PATH, or its path. */
  command: z.string().min(1).max(4_000),
  args: z.array(text).max(500).optional(),
  /** Variables that it gets besides the usual ones, such as PATH and HOME. */
  env: z.record(z.string().regex(/^[^=\s]{1,300}$/), text).optional(),
  /** A file with more variables, as `NAME=value` in each line; those of `env` go first. */
  envFile: z.string().min(1).max(4_000).optional(),
  /** Its folder: the first open folder if left out. */
  cwd: z.string().min(1).max(4_000).optional(),
});
export type McpProgram = z.infer<typeof McpProgram>;

/** A server of the Model Context Protocol that is reached by Streamable HTTP, or by the older HTTP with SSE. */
export const McpHttpServer = z.strictObject({
  type: z.enum(["http", "sse"]).optional(),
  url: httpUrl,
  headers: httpHeaders.optional(),
  /** The client that the user has registered with the server's authorization server, if that registers none by itself. */
  oauth: z.strictObject({ clientId: z.string().min(1).max(4_000), clientSecret: text.optional() }).optional(),
});
export type McpHttpServer = z.infer<typeof McpHttpServer>;

export const McpServer = z.union([McpProgram, McpHttpServer]);
export type McpServer = z.infer<typeof McpServer>;

/** A server's name: the part of `server/tool` before the last slash. */
export const McpServerName = z
  .string()
  .regex(
    /^[^\p{C}\s*?[\]{}\\/][^\p{C}*?[\]{}\\]{0,99}$/u,
    "should be 1 to 100 characters, none of them * ? [ ] { } \\, and start with no space or slash",
  );
