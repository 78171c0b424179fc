/** Limits on what a server sends and how long it takes, beyond what servers need. */
export const MCP_LIMITS = {
  /** Bytes of one message. */
  message: 8 * 1024 * 1024,
  /** Bytes that may wait for a program to read them, beyond which it is ended. */
  unread: 32 * 1024 * 1024,
  /** Milliseconds in which a server has to start and list its tools: a package may have to be downloaded first. */
  startMs: 90_000,
  /** Milliseconds of a call without an answer or progress. */
  callMs: 600_000,
  /** Milliseconds in which a list has to be read. */
  listMs: 30_000,
  /** Milliseconds in which a server has to say which values an argument can have. */
  completeMs: 10_000,
  /** Pages of a list that are read. */
  pages: 50,
  /** Tools of one server. */
  tools: 500,
  /** Characters of a tool's name. */
  toolName: 128,
  /** Characters of a tool's description; what is more is cut. */
  description: 8_000,
  /** Characters of a tool's input schema, as JSON. */
  schema: 100_000,
  /** Levels of such a schema. */
  schemaDepth: 100,
  /** Prompts, resources and resource templates of one server, of each. */
  offers: 500,
  /** Arguments of a prompt or template. */
  arguments: 20,
  /** Characters of the value of an argument. */
  argument: 20_000,
  /** Values that are offered for an argument. */
  completions: 100,
  /** Characters of the title of a prompt or resource, and of what is said about it. */
  title: 200,
  about: 1_000,
  /** Characters of a resource's URI. */
  uri: 10_000,
  /** Messages of a prompt. */
  promptMessages: 100,
  /** Bytes of the text of a prompt or of a resource that is attached: as of files. */
  attached: 256 * 1024,
  /** Lines of a server's own log that are logged in each ten seconds. */
  logLines: 50,
  /** Characters of such a line. */
  logLine: 500,
  /** Reports of progress that are shown for one call. */
  progress: 200,
} as const;
