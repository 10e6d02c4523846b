// The newest refusals of this process, kept in memory for GET /_weir/rejections and /_weir/explain/{decision_id}.
import type { RefusalRecord } from './refusal-record.ts';

/** A refusal with the wall time it was decided at, for display only. */
export type KeptRefusal = RefusalRecord & { readonly time: string };

type Kept = { readonly record: RefusalRecord; readonly wallMs: number };

export class NewestRefusals {
  readonly #capacity: number;
  readonly #kept: Kept[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(record: RefusalRecord, wallMs: number): void {
    this.#kept[this.#next] = { record, wallMs };
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Up to `size` refusals, newest first. */
  newest(size: number): readonly KeptRefusal[] {
    const inOrder = [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
    return inOrder.reverse().slice(0, size).map(shown);
  }

  find(decisionId: string): KeptRefusal | undefined {
    const kept = this.#kept.find(({ record }) => record.decision_id === decisionId);
    return kept === undefined ? undefined : shown(kept);
  }
}

/** Times are written out when somebody looks, not for every refusal. */
function shown({ record, wallMs }: Kept): KeptRefusal {
  return { time: new Date(wallMs).toISOString(), ...record };
}
