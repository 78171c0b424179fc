import { seededRandom } from "../../../server/engine/testing/random.ts";

// Loaded before the host's own modules, in each of its threads. Its address ends with `?seed=NUMBER`.
// The wall clock jumps at random readings, as after a suspend, a correction, or an empty battery. The monotonic one does
// not.

const DAY = 24 * 60 * 60 * 1000;
/** The reading after which the clock jumps comes after so many, at most. */
const MOST_READINGS = 60;

const random = seededRandom(Number(new URL(import.meta.url).searchParams.get("seed")));
const { now: realNow } = Date;

/** What the clock shows next, in milliseconds since 1970. */
const jumps: readonly ((ms: number) => number)[] = [
  (ms) => ms + random(10_000),
  (ms) => ms - random(10_000),
  (ms) => ms + random(365 * DAY),
  (ms) => ms - random(365 * DAY),
  () => random(DAY),
  () => Date.UTC(2099, 0, 1) + random(DAY),
  () => realNow(),
];

let offset = 0;
let left = random(MOST_READINGS);

function now(): number {
  if (left-- === 0) {
    left = random(MOST_READINGS);
    const jump = jumps[random(jumps.length)];
    const shown = realNow() + offset;
    offset = Math.max(0, jump?.(shown) ?? shown) - realNow();
  }
  return realNow() + offset;
}

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: (target) => Reflect.construct(target, [now()]).toString(),
  get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
});
