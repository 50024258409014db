import { progressWatermark } from '#contexts/chain-watching/contract/reading-progress.sql.js';

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
