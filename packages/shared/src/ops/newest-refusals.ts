// The newest refusals of this process, kept in memory for GET /_weir/rejections and /_weir/explain/{decision_id}.
import type { RefusalRecord } from './refusal-record.ts';

/** A refusal with the wall time it was decided at, for display only. */
export type KeptRefusal = RefusalRecord & { readonly time: string };

export class NewestRefusals {
  readonly #capacity: number;
  readonly #kept: KeptRefusal[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(refusal: KeptRefusal): void {
    this.#kept[this.#next] = refusal;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Up to `size` refusals, newest first. */
  newest(size: number): readonly KeptRefusal[] {
    const inOrder = [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
    return inOrder.reverse().slice(0, size);
  }

  find(decisionId: string): KeptRefusal | undefined {
    return this.#kept.find((refusal) => refusal.decision_id === decisionId);
  }
}
