import { messageOf } from "../../../shared/contract/errors.ts";
import { bareKeeper, engineKeeper, heldAfter, langGraphKeeper } from "../keepers/held-after.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const MESSAGES = 10_000;
/** For a saver that keeps the whole thread at each step, so that what it takes grows with the square of the thread. */
const FEWER = 500;

/** What a long thread takes in memory, once the garbage is collected. */
export const memory: Bench = {
  name: "memory",
  title: "Memory of a thread of messages of 40 words, for each message",
  async run() {
    const [engine, bare] = [await heldAfter(engineKeeper, MESSAGES), await heldAfter(bareKeeper, MESSAGES)];
    const [engineFewer, bareFewer] = [await heldAfter(engineKeeper, FEWER), await heldAfter(bareKeeper, FEWER)];
    const figure = `${count(MESSAGES)} / ${count(FEWER)} messages`;
    return [
      {
        figure: `${figure}: ${engineKeeper.label}`,
        aim: "flat",
        measured: `${each(engine.heapBytes, MESSAGES)} / ${each(engineFewer.heapBytes, FEWER)} bytes`,
      },
      await langGraphRow(),
      {
        figure: `${figure}: ${bareKeeper.label}`,
        aim: "",
        measured: `${each(bare.heapBytes, MESSAGES)} / ${each(bareFewer.heapBytes, FEWER)} bytes`,
      },
    ];
  },
};

async function langGraphRow(): Promise<Row> {
  try {
    const keeper = await langGraphKeeper();
    const { heapBytes } = await heldAfter(keeper, FEWER);
    const gigabytes = Math.round((heapBytes * (MESSAGES / FEWER) ** 2) / 1e9);
    return {
      figure: `${count(FEWER)} messages: ${keeper.label}`,
      aim: "",
      measured: `${each(heapBytes, FEWER)} bytes, growing with the thread: ${count(MESSAGES)} are reckoned at ${gigabytes} GB`,
    };
  } catch (error) {
    return absentRow(`${count(FEWER)} messages: LangGraph, MemorySaver`, "", messageOf(error));
  }
}

const count = (messages: number): string => messages.toLocaleString("en");
const each = (bytes: number, messages: number): string => Math.round(bytes / messages).toLocaleString("en");
