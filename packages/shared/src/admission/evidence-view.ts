// What the gate may ask of a view: what is known of a node right now. The view itself lives in view/.
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { NodeStress } from './node-stress.ts';

/** What a reader knows of one node. */
export interface NodeEvidence {
  readonly name: string;
  /** `known`: recent evidence; `unknown`: none or stale; `gone`: silent for so long that it counts as dead, not as stressed. */
  standing(nowMs: number, settings: EffectiveSettings): 'known' | 'unknown' | 'gone';
  /** Age of the evidence on the reader's clock. */
  ageMs(nowMs: number): number;
  /** Stress for a role; asked for only while the standing is `known`. */
  stressOf(role: 'primary' | 'replica', nowMs: number, settings: EffectiveSettings): NodeStress;
}

export interface EvidenceView {
  /** A node by id; undefined when nothing was ever heard of it. */
  node(id: string): NodeEvidence | undefined;
}
