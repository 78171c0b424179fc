import { type Keeper, SPEAKERS, WORDS } from "./keeper.ts";

/** The least there is to keep: a list of messages. */
export async function keep(): Promise<Keeper> {
  const messages: { readonly role: string; readonly name: string; readonly content: string }[] = [];
  return {
    async talk(turns) {
      for (let turn = 0; turn < turns; turn++) {
        messages.push({ role: "assistant", name: SPEAKERS[turn % SPEAKERS.length] ?? "", content: WORDS.join("") });
      }
    },
    savedBytes: () => Buffer.byteLength(JSON.stringify(messages)),
  };
}
