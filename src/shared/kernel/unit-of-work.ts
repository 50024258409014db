/**
 * Everything that repositories save inside `run` is committed together. A nested `run` joins the outer transaction.
 * Make no network calls inside, because the transaction holds locks.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  abstract rollBackAtEnd(): void;
  /**
   * If `work` fails, only its own writes are rolled back. @throws errors that a retry of the complete unit of work
   * may fix
   */
  abstract attempt<T>(work: () => Promise<T>): Promise<{ readonly result: T } | { readonly error: Error }>;
}
