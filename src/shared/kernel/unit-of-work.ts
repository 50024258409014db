/**
 * All or nothing: what repositories save inside `run` is committed together, or not at all when `work` throws.
 * A `run` inside another joins it. Never call a network from inside one: it holds locks.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * A part of the open unit of work that can fail alone: what it wrote is undone, the rest stays.
   * @returns its result, or the error; one after which the same may succeed later is thrown instead
   */
  abstract attempt<T>(work: () => Promise<T>): Promise<{ readonly result: T } | { readonly error: Error }>;
}
