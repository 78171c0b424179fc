import { SPEAKERS, type ThreadSaver, WORDS } from "./saver.ts";

/** The floor: a list of messages. */
export async function createSaver(): Promise<ThreadSaver> {
  const messages: { readonly role: string; readonly name: string; readonly content: string }[] = [];
  return {
    async converse(turns) {
      for (let turn = 0; turn < turns; turn++) {
        messages.push({ role: "assistant", name: SPEAKERS[turn % SPEAKERS.length] ?? "", content: WORDS.join("") });
      }
    },
    savedBytes: () => Buffer.byteLength(JSON.stringify(messages)),
  };
}
