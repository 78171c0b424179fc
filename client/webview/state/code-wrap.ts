import { signal } from "@preact/signals";
import { storedState, storeState } from "./editor-bridge.ts";

/** Whether long lines of code are wrapped. The editor remembers it. */
export const wrapCode = signal(storedState().wrapCode === true);

export function toggleWrapCode(): void {
  wrapCode.value = !wrapCode.value;
  storeState({ wrapCode: wrapCode.value });
}
