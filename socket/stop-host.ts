import { HostStop } from "../shared/contract/joining.ts";
import { askHost } from "./ask-host.ts";

/**
 * Ends the host that keeps running for a storage folder, of whatever version. It interrupts what runs, keeping everything.
 * @returns false if none runs.
 * @throws HostRefusedError for a host that belongs to a window or a terminal, or does not answer.
 */
export async function stopHost(storagePath: string): Promise<boolean> {
  const asked = await askHost(storagePath, HostStop, (proof) => proof);
  if (asked === undefined) return false;
  const { stream } = asked;
  stream.resume();
  if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
  return true;
}
