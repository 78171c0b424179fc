/** Everything that speaks Agent2Agent: a bundle of its own, which the first agent that has a turn loads. */
export { checkCard } from "./check-card.ts";
export { RemoteAgent } from "./remote-agent.ts";
