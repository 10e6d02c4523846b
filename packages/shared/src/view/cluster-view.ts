// A reader's picture of all data nodes, made of the samples that reached it and of what it sent there itself.
import type { EvidenceView } from '../admission/evidence-view.ts';
import type { Evidence } from '../admission/verdict.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { NodeStats } from '../wire/node-stats.ts';
import { WatchedNode } from './watched-node.ts';

/** Silence after which a node is forgotten, so that a view does not grow with every node there ever was. */
const FORGOTTEN_AFTER_MS = 3_600_000;

/** The nodes by id. Nothing in it waits, and none of its figures come from a sender's clock. */
export class ClusterView implements EvidenceView {
  readonly #settings: () => EffectiveSettings;
  readonly #nodes = new Map<string, WatchedNode>();

  constructor(settings: () => EffectiveSettings) {
    this.#settings = settings;
  }

  /** Takes in a sample that was just heard; false when its (boot id, sequence) is not new. */
  apply(stats: NodeStats, nowMs: number): boolean {
    const settings = this.#settings();
    const known = this.#nodes.get(stats.id);
    if (known !== undefined) return known.apply(stats, nowMs, settings);
    this.#forgetSilent(nowMs);
    const node = new WatchedNode(stats, nowMs);
    node.accept(stats, nowMs, settings);
    this.#nodes.set(stats.id, node);
    return true;
  }

  /** Learns of a node from a record of unknown age: who it is and where, but nothing to judge it by. */
  introduce(stats: NodeStats, nowMs: number): void {
    if (!this.#nodes.has(stats.id)) this.#nodes.set(stats.id, new WatchedNode(stats, nowMs));
  }

  node(id: string): WatchedNode | undefined {
    return this.#nodes.get(id);
  }

  nodes(): IterableIterator<WatchedNode> {
    return this.#nodes.values();
  }

  /** The owner of this view sends work to a node that will count it in what it publishes. */
  noteAdmitted(nodeId: string, work: number): void {
    this.#nodes.get(nodeId)?.load.noteAdmitted(work);
  }

  /** Work that this view's owner had sent there never came. */
  noteNotArrived(nodeId: string, work: number): void {
    this.#nodes.get(nodeId)?.load.noteRefused(work);
  }

  /** The node's guard refused what this view's owner had admitted; its figures are newer than any sample. */
  noteRejectedByNode(nodeId: string, evidence: Evidence, nowMs: number): void {
    const load = this.#nodes.get(nodeId)?.load;
    if (evidence.signal === 'queue') load?.correct(evidence.value, nowMs);
  }

  #forgetSilent(nowMs: number): void {
    for (const [id, node] of this.#nodes) {
      if (node.ageMs(nowMs) > FORGOTTEN_AFTER_MS) this.#nodes.delete(id);
    }
  }
}
