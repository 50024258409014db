import type { RecordedTransfer } from '../../domain/requests/transfer.js';

/** A transfer as its row in the database has it. */
export type TransferRow = RecordedTransfer & { readonly canonical: boolean };

/**
 * All states that a row is in: exactly one where nothing is lost and nothing is booked twice.
 * @param final height of the newest final block of its network
 */
export function statesOf(row: TransferRow, final: number, isEnded: boolean): string[] {
  const isFinal = row.blockNumber <= final;
  const waits = row.canonical && !row.counted && row.depositedAt === null;
  const states: [string, boolean][] = [
    ['counted', row.counted && row.canonical],
    ['deposited', row.depositedAt !== null && row.canonical],
    ['reversed', row.reversedAt !== null && !row.canonical],
    ['gone', !row.canonical && row.reversedAt === null && row.depositedAt === null],
    ['request open', waits && !isEnded],
    ['not final', waits && isEnded && !isFinal],
    ['awaits agreement', waits && isEnded && isFinal && row.awaitsCrossCheck],
  ];
  return states.flatMap(([state, holds]) => (holds ? state : []));
}
