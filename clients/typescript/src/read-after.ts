/**
 * Returns the greater of two `X-Read-After` values, ordered by timeline, then by transaction, because responses can arrive out of order.
 * Malformed values are ignored.
 */
export function laterReadAfter(known: string | undefined, answered: string | null): string | undefined {
  const [one, other] = [partsOf(known), partsOf(answered)];
  if (other === undefined) return known;
  if (one === undefined) return answered!;
  const isLater = other[0] === one[0] ? other[1] > one[1] : other[0] > one[0];
  return isLater ? answered! : known;
}

function partsOf(position: string | null | undefined): [timeline: bigint, transaction: bigint] | undefined {
  const [, timeline, transaction] = /^(\d{1,10})-(\d{1,19})$/.exec(position ?? '') ?? [];
  if (timeline === undefined || transaction === undefined) return undefined;
  return [BigInt(timeline), BigInt(transaction)];
}
