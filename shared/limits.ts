/**
 * The limits on what comes from outside, far beyond what is useful (docs/PROTOCOL.md, "Process and transport"). Those on a
 * definition are in `server/host/definition/limits.ts`.
 */
export const LIMITS = {
  /** A message of the client. */
  message: {
    bytes: 256 * 1024 * 1024,
    /** Levels of lists and maps within each other. Deeper values overflow the stack of what works with them. */
    depth: 200,
    /** Characters of one text in it. */
    text: 16_000_000,
  },
  /** The input or the result of a tool call. Events and saved states contain it, so it is less deep than a message. */
  value: { depth: 100, characters: 16_000_000 },
  /** What a model is shown of a conversation. Escaped as JSON, a character may become six. */
  request: { characters: 64_000_000 },
  /** Characters of a team's title. */
  title: 200,
  /** A participant's plan, and the text of each of its steps. */
  plan: { items: 50, characters: 500 },
  /** How many commands of a team run in the background, and how many that have ended are still known. */
  commands: { running: 8, ended: 8 },
  /** One answer of a model. */
  answer: {
    characters: 2_000_000,
    calls: 500,
    /** A larger count that an endpoint reports is ignored, so that no sum loses its meaning. */
    tokens: 1_000_000_000,
    /** US dollars. */
    cost: 1_000_000,
  },
} as const;
