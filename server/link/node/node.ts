import { newId, systemTimers, type Timers } from "../../engine/index.ts";
import type { Link } from "../link.ts";
import { decodeFrame } from "./frame.ts";
import { OverflowError } from "./outgoing-stream.ts";
import { Peer } from "./peer.ts";

/** How often peers are looked after, in milliseconds. */
const TICK_MS = 250;
/** A tick that is later than this says that the process was busy, and may not have heard others, in milliseconds. */
const LATE_MS = 1_000;
/** A node counts as lost when nothing was heard of it for so long, in milliseconds, if not said otherwise. */
const SILENCE_MS = 5_000;
/**
 * A peer that nothing was heard of for so long, and that nothing waits for, is forgotten, in milliseconds. In half of that
 * what is sent to it begins a new stream, so that one that has forgotten this node understands it.
 */
const FORGET_MS = 120_000;

export interface NodeOptions {
  /** The first part of its subjects. */
  readonly space: string;
  readonly timers?: Timers;
  /** After how many milliseconds of silence another node counts as lost; 5,000 if left out. */
  readonly silence?: number;
}

export interface NodeListeners {
  /** A message of another node. Messages of one node come in order, each once. Must not throw. */
  readonly message: (from: string, message: Uint8Array) => void;
  /** Nothing that was sent to that node, or that it sent, can be relied on any more; `why` completes "lost, as …". */
  readonly lost: (node: string, why: string) => void;
}

/**
 * One process on a link, with an id of its own. Two nodes exchange messages in order, without a loss, until one of them
 * counts the other as lost; both are told then.
 */
export class LinkNode {
  readonly id = newId("node");
  readonly #link: Link;
  readonly #space: string;
  readonly #timers: Timers;
  readonly #silence: number;
  readonly #listeners: NodeListeners;
  readonly #peers = new Map<string, Peer>();
  readonly #releases: (() => void)[];
  #stopTick: (() => void) | undefined;
  #isClosed = false;

  constructor(
    link: Link,
    { space, timers = systemTimers, silence = SILENCE_MS }: NodeOptions,
    listeners: NodeListeners,
  ) {
    this.#link = link;
    this.#space = space;
    this.#timers = timers;
    this.#silence = silence;
    this.#listeners = listeners;
    this.#releases = [
      link.subscribe(this.#subjectOf(this.id), ({ data }) => this.#receive(data)),
      link.onStatus((isUp) => {
        if (isUp) for (const peer of this.#peers.values()) peer.reconnected();
      }),
    ];
  }

  /** Sends a message to another node. A node that does not take what it is sent counts as lost. */
  send(to: string, message: Uint8Array): void {
    if (this.#isClosed) return;
    const peer = this.#peer(to);
    try {
      peer.write(message);
    } catch (error) {
      if (!(error instanceof OverflowError)) throw error;
      peer.lose("it does not take what it is sent");
    }
  }

  /** Watches whether another node is there until the function is called. */
  watch(node: string): () => void {
    const peer = this.#peer(node);
    peer.watch();
    let isWatching = true;
    return () => {
      if (isWatching) peer.unwatch();
      isWatching = false;
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTick?.();
    for (const release of this.#releases) release();
    this.#peers.clear();
  }

  #subjectOf(node: string): string {
    return `${this.#space}.nodes.${node}`;
  }

  #peer(id: string, oldest = FORGET_MS / 2): Peer {
    const known = this.#peers.get(id);
    if (known !== undefined && !this.#isOld(known, oldest)) return known;
    const subject = this.#subjectOf(id);
    const peer = new Peer({
      own: this.id,
      timers: this.#timers,
      silence: this.#silence,
      send: (frame) => this.#link.publish(subject, frame),
      deliver: (message) => this.#listeners.message(id, message),
      lost: (why) => {
        if (this.#peers.get(id) === peer) this.#peers.delete(id);
        this.#listeners.lost(id, why);
      },
    });
    this.#peers.set(id, peer);
    this.#tickLater();
    return peer;
  }

  #receive(data: Uint8Array): void {
    const frame = decodeFrame(data);
    if (frame === undefined || this.#isClosed || frame.header.from === this.id || !isNodeId(frame.header.from)) return;
    const { header, body } = frame;
    const peer = this.#peer(header.from, FORGET_MS);
    try {
      peer.receive(header, body);
    } catch (error) {
      peer.lose(error instanceof Error ? error.message : String(error));
    }
    // It had given this node up, and begins again.
    if (peer.isLost && header.kind === "piece" && header.fresh) this.#peer(header.from).receive(header, body);
  }

  #tickLater(): void {
    if (this.#stopTick !== undefined || this.#isClosed) return;
    const due = this.#timers.now() + TICK_MS;
    this.#stopTick = this.#timers.after(TICK_MS, () => {
      this.#stopTick = undefined;
      this.#tick(this.#timers.now() - due < LATE_MS);
    });
  }

  #tick(isFair: boolean): void {
    for (const [id, peer] of [...this.#peers]) {
      try {
        peer.tick(isFair);
      } catch (error) {
        peer.lose(error instanceof Error ? error.message : String(error));
      }
      if (this.#isOld(peer, FORGET_MS)) this.#peers.delete(id);
    }
    if (this.#peers.size > 0) this.#tickLater();
  }

  #isOld(peer: Peer, ms: number): boolean {
    return peer.isIdle && this.#timers.now() - peer.heard > ms;
  }
}

/** The ids of nodes are parts of subjects. */
const NODE_ID = /^node_[0-9a-f]{16}$/;

/** Whether a text from elsewhere can be the id of a node. */
export const isNodeId = (text: string): boolean => NODE_ID.test(text);
