import type { OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import { type Recipient, recipientKey } from '#contexts/networks/contract/deposit-addresses.js';

/** A few megabytes, whose recipients fit into one SQL statement. */
export const MAX_BUFFERED_TRANSFERS = 5_000;

export async function selectOwnMovements<T>(
  movements: readonly T[],
  of: (movement: T) => Recipient,
  ours: OwnAddressLookup | undefined,
): Promise<readonly T[]> {
  if (ours === undefined || movements.length === 0) return movements;
  const recipients = new Map(movements.map((each) => [recipientKey(of(each)), of(each)]));
  const own = await ours([...recipients.values()]);
  return movements.filter((each) => own.has(recipientKey(of(each))));
}
