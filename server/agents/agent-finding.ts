/** What a check of an agent has found. */
export interface AgentFinding {
  /** `refused`: the user has not allowed the check. */
  readonly state: "works" | "wrong" | "refused";
  /** A sentence: what is wrong and what to do, or that it works. */
  readonly text: string;
}
