/**
 * A database transaction: everything that repositories save inside `run` is committed together, or not at all if `work`
 * throws or calls `rollback`. A nested `run` joins the outer transaction. Make no network calls inside, because the
 * transaction holds locks.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /** Marks the open unit of work to be rolled back at its end. `run` still returns the result of `work`. */
  abstract rollback(): void;
  /**
   * Runs `work` inside the open unit of work. If `work` fails, only its own writes are rolled back, and the error is
   * returned.
   * @throws errors that a retry of the complete unit of work may fix
   */
  abstract attempt<T>(work: () => Promise<T>): Promise<{ readonly result: T } | { readonly error: Error }>;
}
