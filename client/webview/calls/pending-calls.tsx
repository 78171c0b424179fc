import type { ComponentType } from "preact";
import { LazyPart } from "../state/lazy-part.ts";
import type { CallCardsProps } from "./call-card.tsx";

/** The cards of pending calls, with what they show and ask: loaded with the first one. */
const cards = new LazyPart<ComponentType<CallCardsProps>>(() =>
  import("./call-card.tsx").then(({ CallCards }) => CallCards),
);

/** The calls of a row that wait for the user. */
export function PendingCalls(props: CallCardsProps) {
  const Cards = cards.loaded;
  if (Cards !== undefined) return <Cards {...props} />;
  cards.load();
  return <div class="card is-warning pending" aria-busy="true" />;
}
