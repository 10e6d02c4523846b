// Where do the actions of one request go? Asked once per name, and the same for all that must keep their order.
import type { UnsplitReason } from '@weir/shared';
import type { Target, Topology } from '../cluster/topology.ts';
import { requiresAlias } from './action-failures.ts';
import type { BulkAction } from './bulk-action.ts';

/** What ends in an error there changes nothing that could change places. */
const WITHOUT_EFFECT: ReadonlySet<UnsplitReason> = new Set(['alias_routing', 'require_alias']);

export class TargetFinder {
  readonly #topology: Pick<Topology, 'resolve'>;
  readonly #byName = new Map<string, Target>();
  /** Indices that some action reaches unsplit: all others on them go the same way, or operations on one id would change places. */
  readonly #held = new Map<string, UnsplitReason>();
  #lastName: string | undefined;
  #lastTarget: Target = { kind: 'missing' };

  readonly #together: UnsplitReason | undefined;

  /** With `together`, every action goes on unsplit, for this reason. */
  constructor(topology: Pick<Topology, 'resolve'>, together: UnsplitReason | undefined) {
    this.#topology = topology;
    this.#together = together;
  }

  /** Has to have seen every action before any is asked for by `of`. */
  look(action: BulkAction): Target {
    const target = this.#resolve(action);
    if (target.kind === 'unsplit' && target.likely !== undefined && !WITHOUT_EFFECT.has(target.reason))
      this.#held.set(target.likely.name, target.reason);
    return this.of(action);
  }

  /** Where an action goes. */
  of(action: BulkAction): Target {
    const target = this.#resolve(action);
    const likely = target.kind === 'index' ? target.metadata : undefined;
    const reason = this.#together ?? this.#held.get(likely?.name ?? '');
    return reason === undefined || target.kind === 'unsplit' ? target : { kind: 'unsplit', reason, likely };
  }

  #resolve(action: BulkAction): Target {
    const { index = '', routing, pipeline } = action;
    const requireAlias = requiresAlias(action);
    if (pipeline !== undefined || requireAlias)
      return this.#topology.resolve({ index, routing, pipeline, requireAlias });
    const plain = this.#resolvePlain(index);
    // A routing matters where an alias may have one of its own.
    if (plain.kind !== 'index' || routing === undefined) return plain;
    return plain.throughAlias
      ? this.#topology.resolve({ index, routing, pipeline, requireAlias })
      : { ...plain, routing };
  }

  #resolvePlain(index: string): Target {
    if (index === this.#lastName) return this.#lastTarget;
    let target = this.#byName.get(index);
    if (target === undefined) {
      target = this.#topology.resolve({
        index,
        routing: undefined,
        pipeline: undefined,
        requireAlias: false,
      });
      this.#byName.set(index, target);
    }
    this.#lastName = index;
    this.#lastTarget = target;
    return target;
  }
}
