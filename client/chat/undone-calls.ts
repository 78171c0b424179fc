import { EditsList } from "../../shared/contract/requests.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { PageSurface } from "./page-surface.ts";

/** Tells the page which calls' edits were undone. Without a host the page keeps what it shows. */
export async function postUndoneCalls(host: HostProcess, chat: PageSurface, teamId: string): Promise<void> {
  const list = await host.request(EditsList, { teamId }).catch(() => undefined);
  if (list === undefined) return;
  const files = list.turns.flatMap((turn) => turn.files);
  const kept = new Set(files.flatMap(({ undone, refs }) => (undone ? [] : (refs ?? []))));
  const refs = files.flatMap((file) => file.refs ?? []).filter((ref) => !kept.has(ref));
  chat.post({ type: "undoneCalls", teamId, refs });
}
