/** How a new team works together. */
export interface TeamPattern {
  readonly id: "oneAgent" | "authorAndReviewer" | "roundRobin" | "selector" | "swarm" | "graph" | "magentic";
  readonly label: string;
  /** Who speaks when, in a sentence. */
  readonly detail: string;
  /** The names that are offered. */
  readonly names: readonly string[];
  /** How many participants it needs at least. */
  readonly least: number;
}
