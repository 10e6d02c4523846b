// Asks the local OpenSearch node once a second who and how it is, and knows whether it is there at all.
import { type Cancel, type Clock, type Timers, toWeirError, WeirError } from '@weir/shared';
import type { LocalNode } from './local-node.ts';
import { type NodeFigures, nodeFigures, STATS_PATH } from './node-figures.ts';

/** The node caches its own readings for a second. */
const POLL_INTERVAL_MS = 1_000;
/** A node that does not tell within this time is asked again; its signals grow unknown meanwhile. */
const POLL_TIMEOUT_MS = 2_000;
/** A reading older than this says nothing any more. */
const FRESH_MS = 3_000;

export type PollerPorts = {
  readonly node: Pick<LocalNode, 'read'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly warn: (message: string, fields: Readonly<Record<string, string>>) => void;
};

export type NodeIdentity = { readonly id: string; readonly name: string };

export class NodePoller {
  readonly #ports: PollerPorts;
  readonly #onFigures: ((figures: NodeFigures) => void)[] = [];
  readonly #onChange: (() => void)[] = [];
  #newest: NodeFigures | undefined;
  #heardMs = Number.NEGATIVE_INFINITY;
  #isThere = false;
  #problem: string | undefined = 'it was not asked yet';
  #asking: Promise<void> | undefined;
  #cancel: Cancel | undefined;

  constructor(ports: PollerPorts) {
    this.#ports = ports;
  }

  /** Resolves after the first try, whatever came of it, and goes on until `stop`. */
  async start(): Promise<void> {
    this.#cancel = this.#ports.timers.every(POLL_INTERVAL_MS, () => void this.poll());
    await this.poll();
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Asks now, once at a time; never rejects. */
  poll(): Promise<void> {
    this.#asking ??= this.#poll().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Who the node is: its id changes when its data directory does. Undefined until it said so for the first time. */
  identity(): NodeIdentity | undefined {
    return this.#newest;
  }

  /** The newest figures, or undefined where none are fresh: how the node is, is unknown. */
  figures(): NodeFigures | undefined {
    return this.#ports.clock.nowMs() - this.#heardMs > FRESH_MS ? undefined : this.#newest;
  }

  /** Something answers at the node's address. One that is only slow is there: what is sent to it waits, and that shows. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** Why the last question had no answer; undefined when it had one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Nothing takes connections there: found by who tried. */
  noteGone(reason: string): void {
    this.#problem = reason;
    this.#heardMs = Number.NEGATIVE_INFINITY;
    this.#setThere(false);
  }

  onFigures(hear: (figures: NodeFigures) => void): void {
    this.#onFigures.push(hear);
  }

  /** Hears when the node went or came back, or is another one. */
  onChange(hear: () => void): void {
    this.#onChange.push(hear);
  }

  async #poll(): Promise<void> {
    const { node, clock, warn } = this.#ports;
    try {
      const figures = nodeFigures(await node.read(STATS_PATH, POLL_TIMEOUT_MS));
      if (figures === undefined) throw new WeirError('bad_gateway', 'the answer holds no node stats');
      const isAnother = this.#newest?.id !== figures.id;
      this.#newest = figures;
      this.#heardMs = clock.nowMs();
      this.#problem = undefined;
      for (const hear of this.#onFigures) hear(figures);
      this.#setThere(true, isAnother);
    } catch (thrown) {
      const { message, fields } = toWeirError(thrown);
      if (fields['sent'] === false) this.noteGone(message);
      else this.#problem = message;
      warn('the OpenSearch node does not tell how it is', { reason: message });
    }
  }

  #setThere(isThere: boolean, isAnother = false): void {
    const changed = this.#isThere !== isThere || isAnother;
    this.#isThere = isThere;
    if (changed) for (const hear of this.#onChange) hear();
  }
}
