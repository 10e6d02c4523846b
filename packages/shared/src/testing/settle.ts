// Lets everything that is ready to run do so, without time passing.

/** Resolves after the promises and messages under way have run on; what waits for a timer stays waiting. */
export async function settle(): Promise<void> {
  // Each turn of the loop lets one link of every chain of promises and messages go on.
  for (let turn = 0; turn < 20; turn += 1)
    // biome-ignore lint/plugin: no time passes, only turns of the loop
    await new Promise((resolve) => setImmediate(resolve));
}
