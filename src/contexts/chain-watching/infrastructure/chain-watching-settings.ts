export class ChainWatchingSettings {
  /** @param intervalMs pause between two queries for a network's newest block */
  constructor(readonly intervalMs: number) {}
}
