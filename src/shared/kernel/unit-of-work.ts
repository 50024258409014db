/**
 * All or nothing: what repositories save inside `run` is committed together, or not at all when `work` throws.
 * A `run` inside another joins it. Never call a network from inside one: it holds locks.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
}
