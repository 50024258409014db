/**
 * Whether the network is read, and not so far behind or so long in disagreement that a payment might not be seen in
 * time. A network without a cursor is not: a payment in a block before the first read one would never be seen.
 * @param network an SQL expression
 */
export function isWatched(network: string): string {
  return `EXISTS (SELECT 1 FROM payments.chain_cursors c WHERE c.network = ${network}
           AND (c.max_lag_seconds IS NULL
             OR (c.head_time > platform.now() - make_interval(secs => c.max_lag_seconds)
               AND (c.disagrees_since > clock_timestamp() - make_interval(secs => c.max_lag_seconds)) IS NOT FALSE)))`;
}
