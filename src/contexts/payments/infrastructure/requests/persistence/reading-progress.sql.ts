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

/** The transfer is to become a deposit of the request `r` once that has ended. @param t alias of `payments.transfers` */
export function isToPost(t: string): string {
  return `${t}.payment_request_id = r.id AND ${t}.canonical AND ${t}.final AND NOT ${t}.counted AND ${t}.deposited_at IS NULL`;
}

/** The day of the cursor `c`: all days before are final. */
const FINAL_DAY = `(${progressWatermark('c.final_time')} AT TIME ZONE 'UTC')::date`;

/**
 * It is gathered, and all of its day is final: `isDayOver` of the domain. The first condition ends the reading of an index
 * before the transfers that wait, however many they are.
 * @param t as above
 */
export function isDayOver(t: string): string {
  return `${t}.gathered_on < (SELECT max(${FINAL_DAY}) FROM payments.chain_cursors c)
    AND ${t}.gathered_on < (SELECT ${FINAL_DAY} FROM payments.chain_cursors c WHERE c.network = ${t}.network)`;
}
