/** What sends the requests of `fetch`: `dispatcher` in its options. */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** Where Node has the dispatcher of `fetch`; the second is for versions of undici before 8. */
const PLACES = [Symbol.for("undici.globalDispatcher.2"), Symbol.for("undici.globalDispatcher.1")];

/**
 * Options with which `fetch` has no limits of 300 seconds until an answer begins and between two parts of it: a local model
 * may think for longer. `idleSeconds` of the model's definition is the limit. Nothing where Node keeps its dispatcher
 * elsewhere.
 */
export function patience(): object {
  // Node makes the dispatcher when any part of `fetch` is first looked up.
  Reflect.get(globalThis, "Request");
  const found = PLACES.map((place): unknown => Reflect.get(globalThis, place)).find(isDispatcher);
  if (found === undefined) return {};
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => found.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return { dispatcher };
}

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function";
