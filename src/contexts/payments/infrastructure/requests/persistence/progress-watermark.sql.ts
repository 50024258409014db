/**
 * Up to when a network is known, of the cursor `c`: while its balances cannot be asked for, native value may have arrived
 * that nothing else tells of, so nothing ends for want of it. After a day that is given up.
 * @param time `c.head_time` or `c.final_time`
 */
export function knownTo(time: string): string {
  // GREATEST passes over NULL: where no balances are asked for, the time itself holds.
  return `CASE WHEN c.balances_known_at IS NULL THEN ${time}
    ELSE LEAST(${time}, GREATEST(c.balances_known_at, c.head_time - interval '1 day')) END`;
}
