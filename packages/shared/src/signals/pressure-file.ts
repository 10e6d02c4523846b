// For what share of the time did tasks wait for a resource? From the totals of the kernel's pressure stall information.
import { CounterWindow } from './counter-window.ts';
import { KernelFile } from './kernel-file.ts';
import type { Sample } from './sampler.ts';

/** Its averages lag by seconds; the totals, in microseconds, do not. */
export class PressureFile {
  readonly #file: KernelFile;
  readonly #some = new CounterWindow();
  readonly #full = new CounterWindow();

  /** Opens the first of `paths` that exists and can be read; undefined on kernels without pressure information. */
  static open(paths: readonly string[]): PressureFile | undefined {
    for (const path of paths) {
      const file = KernelFile.open(path);
      if (file?.read() !== undefined) return new PressureFile(file);
      file?.close();
    }
    return undefined;
  }

  private constructor(file: KernelFile) {
    this.#file = file;
  }

  /** Percent of the time in which at least one task waited (`some`), and in which all that had something to do did (`full`). */
  sample(nowMs: number): { readonly some: Sample; readonly full: Sample } {
    const text = this.#file.read() ?? '';
    return {
      some: share(this.#some, /^some .*total=(\d+)/m.exec(text)?.[1], nowMs),
      full: share(this.#full, /^full .*total=(\d+)/m.exec(text)?.[1], nowMs),
    };
  }

  close(): void {
    this.#file.close();
  }
}

function share(window: CounterWindow, totalUs: string | undefined, nowMs: number): Sample {
  return totalUs === undefined ? undefined : window.observe(Number(totalUs) / 1_000, nowMs, nowMs);
}
