import { messageOf } from "../../../shared/contract/errors.ts";
import { bareListSaver, engineSaver, langGraphSaver, measureSaver } from "../savers/measure.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const MESSAGES = 10_000;
/** For a saver that keeps the whole thread at each step, so that its size grows with the square of the thread. */
const FEWER = 500;

/** The memory of a long thread, after garbage collection. */
export const memory: Bench = {
  name: "memory",
  title: "Memory of a thread of messages of 40 words, for each message",
  async run() {
    const [engine, bare] = [await measureSaver(engineSaver, MESSAGES), await measureSaver(bareListSaver, MESSAGES)];
    const [engineFewer, bareFewer] = [await measureSaver(engineSaver, FEWER), await measureSaver(bareListSaver, FEWER)];
    const figure = `${count(MESSAGES)} / ${count(FEWER)} messages`;
    return [
      {
        figure: `${figure}: ${engineSaver.label}`,
        aim: "flat",
        measured: `${each(engine.heapBytes, MESSAGES)} / ${each(engineFewer.heapBytes, FEWER)} bytes`,
      },
      await langGraphRow(),
      {
        figure: `${figure}: ${bareListSaver.label}`,
        aim: "",
        measured: `${each(bare.heapBytes, MESSAGES)} / ${each(bareFewer.heapBytes, FEWER)} bytes`,
      },
    ];
  },
};

async function langGraphRow(): Promise<Row> {
  try {
    const saver = await langGraphSaver();
    const { heapBytes } = await measureSaver(saver, FEWER);
    const gigabytes = Math.round((heapBytes * (MESSAGES / FEWER) ** 2) / 1e9);
    return {
      figure: `${count(FEWER)} messages: ${saver.label}`,
      aim: "",
      measured: `${each(heapBytes, FEWER)} bytes, growing with the thread: ${count(MESSAGES)} would take about ${gigabytes} GB`,
    };
  } catch (error) {
    return absentRow(`${count(FEWER)} messages: LangGraph, MemorySaver`, "", messageOf(error));
  }
}

const count = (messages: number): string => messages.toLocaleString("en");
const each = (bytes: number, messages: number): string => Math.round(bytes / messages).toLocaleString("en");
