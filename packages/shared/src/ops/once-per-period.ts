// May this be said again already? Keeps what is said of one thing apart, and counts what was held back meanwhile.

type Said = { readonly atMs: number; heldBack: number };

/** Keys can carry names from outside: past this many all are forgotten rather than remembered for ever. */
const MAX_KEYS = 1_000;

export class OncePerPeriod {
  readonly #periodMs: number;
  readonly #said = new Map<string, Said>();

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** Where it may be said, how often it was held back since it was said last; undefined, and counted, where it may not. */
  next(key: string, nowMs: number): number | undefined {
    const said = this.#said.get(key);
    if (said !== undefined && nowMs - said.atMs < this.#periodMs) {
      said.heldBack += 1;
      return undefined;
    }
    if (said === undefined && this.#said.size >= MAX_KEYS) this.#said.clear();
    this.#said.set(key, { atMs: nowMs, heldBack: 0 });
    return said?.heldBack ?? 0;
  }
}
