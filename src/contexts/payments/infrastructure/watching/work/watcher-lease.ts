/** Name of the lease whose holder alone reads a network. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}
