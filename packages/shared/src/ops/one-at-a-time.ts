// Runs tasks one after the other in the order they came, whatever becomes of each.

export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
