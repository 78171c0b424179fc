import { newId } from "../../engine/index.ts";
import type { Link } from "../link.ts";
import { LinkNode, type NodeOptions } from "../node/node.ts";
import { Channel } from "./channel.ts";
import { type ChannelHeader, decodeChannelFrame, encodeChannelFrame } from "./channel-frame.ts";

/** How many channels others may have open to this process: another host one, and one for each of its clients that acts. */
export const MOST_OPENED = 1_024;

/** The streams of this process to others on a link, and of others to this one. */
export class Channels {
  readonly #node: LinkNode;
  readonly #accept: (channel: Channel) => void;
  /** By the other node and the id of the channel. */
  readonly #open = new Map<string, { readonly channel: Channel; readonly node: string; readonly isOwn: boolean }>();

  /** `accept` is given the channels that others open. */
  constructor(link: Link, options: NodeOptions, accept: (channel: Channel) => void) {
    this.#accept = accept;
    this.#node = new LinkNode(link, options, {
      message: (from, message) => this.#receive(from, message),
      lost: (node) => {
        for (const { channel, node: other } of [...this.#open.values()]) if (other === node) channel.lost();
      },
    });
  }

  /** The id of this node, for others that open channels to it. */
  get node(): string {
    return this.#node.id;
  }

  /** A channel to another node. It closes if that is not there. */
  open(node: string): Channel {
    const id = newId("channel");
    const channel = this.#channel(node, id, true);
    this.#send(node, { kind: "open", id });
    return channel;
  }

  close(): void {
    for (const { channel } of [...this.#open.values()]) channel.destroy();
    this.#node.close();
  }

  #channel(node: string, id: string, isOwn: boolean): Channel {
    const key = keyOf(node, id);
    const unwatch = this.#node.watch(node);
    const channel = new Channel({
      send: (header, body) => this.#send(node, { ...header, id }, body),
      closed: () => {
        unwatch();
        this.#open.delete(key);
      },
    });
    this.#open.set(key, { channel, node, isOwn });
    return channel;
  }

  #send(node: string, header: ChannelHeader, body?: Uint8Array): void {
    this.#node.send(node, encodeChannelFrame(header, body));
  }

  #receive(from: string, message: Uint8Array): void {
    const frame = decodeChannelFrame(message);
    if (frame === undefined) return;
    const { header, body } = frame;
    const known = this.#open.get(keyOf(from, header.id));
    if (known !== undefined) known.channel.receive(header, body);
    else if (header.kind === "open") this.#opened(from, header.id);
    else if (header.kind !== "close") this.#send(from, { kind: "close", id: header.id });
  }

  #opened(from: string, id: string): void {
    const count = [...this.#open.values()].filter(({ isOwn }) => !isOwn).length;
    if (count >= MOST_OPENED) this.#send(from, { kind: "close", id });
    else this.#accept(this.#channel(from, id, false));
  }
}

const keyOf = (node: string, id: string): string => `${node}/${id}`;
