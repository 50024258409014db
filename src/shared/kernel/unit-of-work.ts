/**
 * All or nothing: everything that repositories save inside `run` is committed together, or nothing is if `work` throws or
 * calls `rollback`. A `run` inside another joins it. Never call a network from inside one, because it holds locks.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the open unit of work with a rollback instead of a commit. Its `run` still returns the result of `work`. */
  abstract rollback(): void;
  /**
   * Runs a part of the open unit of work. If it fails, only its own writes are rolled back.
   * @returns its result or its error; an error after which a retry may succeed is thrown instead
   */
  abstract attempt<T>(work: () => Promise<T>): Promise<{ readonly result: T } | { readonly error: Error }>;
}
