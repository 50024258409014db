/**
 * The progress watermark of the cursor `c`: up to that time every arrival on its network is known. While balances cannot
 * be read, native coin may have arrived unseen, and while mempools cannot be, any transfer; so no request expires for lack of
 * it. After a day the block time decides.
 * @param time `c.head_time` or `c.final_time`
 */
export function progressWatermark(time: string): string {
  // GREATEST and LEAST pass over NULL: where nothing else is asked for, the time itself holds.
  const until = (known: string) =>
    `CASE WHEN ${known} IS NOT NULL THEN GREATEST(${known}, c.head_time - interval '1 day') END`;
  return `LEAST(${time}, ${until('c.balances_compared_at')}, ${until('c.pending_read_at')})`;
}

/**
 * True where the network is read, within its allowed lag and its allowed time of disagreement between endpoints. A network
 * without a cursor is not: a payment in a block before the first one read would never be seen.
 * @param network an SQL expression
 */
export function isWatched(network: string): string {
  return `EXISTS (SELECT 1 FROM payments.chain_cursors c WHERE c.network = ${network}
           AND (c.max_lag_seconds IS NULL
             OR (c.head_time > platform.now() - make_interval(secs => c.max_lag_seconds)
               AND (c.disagrees_since > clock_timestamp() - make_interval(secs => c.max_lag_seconds)) IS NOT FALSE)))`;
}
