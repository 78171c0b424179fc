import { parentPort, workerData } from "node:worker_threads";
import { htmlMarkdown } from "./html-markdown.ts";
import type { HtmlToRead, ReadHtml } from "./html-thread.ts";

// The thread that reads one page: a page comes from anyone, and may be made to take long.
const { html, address } = workerData as HtmlToRead;
parentPort?.postMessage(read());

function read(): ReadHtml {
  try {
    return { markdown: htmlMarkdown(html, address) };
  } catch (error) {
    if (error instanceof RangeError) return { failure: "tooDeep" };
    throw error;
  }
}
