// Counts the bytes in flight by stage and says whether more fit: the exact backstop behind every ramp.
// Rules of OpenSearch's IndexingPressure: the sum of all three stages counts against the limit, replicas alone against limit × factor;
// bytes equal to the limit fit.

export type Stage = 'coordinating' | 'primary' | 'replica';
export type ByteLimits = { readonly primary: number; readonly replica: number };
type ByStage = Readonly<Record<Stage, number>>;

/** Gives bytes back; calling it again does nothing. */
export type Release = () => void;

/** Whether bytes were taken; where not: what was held, and the limit that stood in the way. `permanent`: they alone exceed it. */
export type Acquired =
  | { readonly ok: true; readonly release: Release }
  | {
      readonly ok: false;
      readonly inFlightBytes: number;
      readonly limitBytes: number;
      readonly permanent: boolean;
    };

export type PressureReport = {
  readonly currentBytes: ByStage;
  readonly totalBytes: ByStage;
  readonly rejections: ByStage;
  readonly limits: ByteLimits;
};

type AcquireOptions = {
  /** Count without asking: the work was admitted elsewhere. */
  readonly forced?: boolean;
  /** The bytes are already counted by this process's own coordinator: counted as primary, not twice in the sum. */
  readonly countedByOwnCoordinator?: boolean;
};

export class IndexingPressure {
  readonly #limits: () => ByteLimits;
  readonly #current = { coordinating: 0, primary: 0, replica: 0 };
  readonly #total = { coordinating: 0, primary: 0, replica: 0 };
  readonly #rejections = { coordinating: 0, primary: 0, replica: 0 };
  /** Coordinating + primary without the bytes counted twice. */
  #combinedBytes = 0;

  /** `limits` is read at every acquire, so that a changed setting holds at once. */
  constructor(limits: () => ByteLimits) {
    this.#limits = limits;
  }

  /** Whether `bytes` more would be taken now; nothing is taken or counted. */
  fits(stage: Stage, bytes: number): boolean {
    const { inFlightBytes, limitBytes } = this.#against(stage);
    return inFlightBytes + bytes <= limitBytes;
  }

  /** Takes `bytes` for a stage, or says what stood in the way. */
  acquire(stage: Stage, bytes: number, options: AcquireOptions = {}): Acquired {
    if (options.forced !== true) {
      const { inFlightBytes, limitBytes } = this.#against(stage);
      const added = options.countedByOwnCoordinator === true ? 0 : bytes;
      if (inFlightBytes + added > limitBytes) {
        this.#rejections[stage] += 1;
        return { ok: false, inFlightBytes, limitBytes, permanent: bytes > limitBytes };
      }
    }
    const combined = stage === 'replica' || options.countedByOwnCoordinator === true ? 0 : bytes;
    this.#add(stage, bytes, combined);
    this.#total[stage] += bytes;
    let held = true;
    return {
      ok: true,
      release: () => {
        if (!held) return;
        held = false;
        this.#add(stage, -bytes, -combined);
      },
    };
  }

  /** Bytes of coordinating and primary work held now, each counted once. */
  get combinedBytes(): number {
    return this.#combinedBytes;
  }

  report(): PressureReport {
    return {
      currentBytes: { ...this.#current },
      totalBytes: { ...this.#total },
      rejections: { ...this.#rejections },
      limits: this.#limits(),
    };
  }

  /** What counts against a stage's limit. */
  #against(stage: Stage): { readonly inFlightBytes: number; readonly limitBytes: number } {
    const limits = this.#limits();
    if (stage === 'replica') return { inFlightBytes: this.#current.replica, limitBytes: limits.replica };
    return { inFlightBytes: this.#combinedBytes + this.#current.replica, limitBytes: limits.primary };
  }

  #add(stage: Stage, bytes: number, combined: number): void {
    this.#current[stage] += bytes;
    this.#combinedBytes += combined;
  }
}
