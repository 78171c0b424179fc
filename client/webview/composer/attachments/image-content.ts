import { effect } from "@preact/signals";
import { post } from "../../state/editor-bridge.ts";
import { imageContent } from "../../state/page-state.ts";
import { bytesOf } from "./prepare-image.ts";

/** Those who wait for an answer, by URI. */
const readers = new Map<string, PromiseWithResolvers<Blob>>();

/** The content of an image that was attached, by its URI. @throws Error with a sentence when it cannot be read. */
export function contentOf(uri: string): Promise<Blob> {
  const asked = readers.get(uri);
  if (asked !== undefined) return asked.promise;
  const reader = Promise.withResolvers<Blob>();
  readers.set(uri, reader);
  post({ type: "readImage", uri });
  return reader.promise;
}

effect(() => {
  const message = imageContent.value;
  if (message === null) return;
  const { uri, data, problem } = message;
  const reader = readers.get(uri);
  readers.delete(uri);
  if (data === undefined) reader?.reject(new Error(problem));
  else reader?.resolve(new Blob([bytesOf(data)]));
});
