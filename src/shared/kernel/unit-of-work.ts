/**
 * A transaction: everything that repositories save inside `run` is committed together. Nothing is committed if `work`
 * throws or calls `rollback`. A nested `run` joins the outer one. Never make a network call inside, because the transaction
 * holds locks.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /** Rolls the open unit of work back when it ends. Its `run` still returns the result of `work`. */
  abstract rollback(): void;
  /**
   * Runs a part of the open unit of work. If it fails, only its writes are rolled back.
   * @returns the result or the error
   * @throws errors that a retry may fix
   */
  abstract attempt<T>(work: () => Promise<T>): Promise<{ readonly result: T } | { readonly error: Error }>;
}
