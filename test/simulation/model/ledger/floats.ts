import type { Moved } from '../chain/chain.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { textOf, type Json } from '../known/values.js';
import type { Asset } from '../requests/payment-request.js';

/** A final top-up is booked within so long. */
const BOOKED_WITHIN = 3_600_000;

/** Money that a merchant sent to the refund float: the only deposit of no request. */
export function takeTopUp(record: Json, known: Known): void {
  const { findings, books } = known;
  const about = `transaction ${textOf(record.id)}`;
  const to = textOf(record.to).toLowerCase();
  const isOfRequest = known.addresses.has(to);
  findings.expect(
    !isOfRequest,
    'a deposit is tied to the request it was sent to',
    about,
    known.addresses.get(to)?.id,
    record,
  );
  const asset = known.asset(record.unique_asset_id);
  const expected: Json = {
    unique_asset_id: asset?.fact.uniqueAssetId,
    currency: asset?.fact.symbol,
    network: asset?.network,
    status: 'completed',
    from_type: 'wallet',
    to_type: 'wallet',
  };
  for (const [name, value] of Object.entries(expected)) {
    const is = value !== undefined && record[name] === value;
    findings.expect(is, `the ${name} of a transaction`, about, value, record[name]);
  }
  if (asset === undefined || isOfRequest) return;
  judgeFloat(record, to, about, known);
  const { decimals } = asset.fact;
  const gross = units(record.gross_amount, decimals);
  const isWhole = record.net_amount === record.gross_amount && record.expected_amount === record.gross_amount;
  if (gross === null || gross === 0n || !isWhole) {
    findings.differ('the amounts of a transaction', about, 'one amount, without a fee', record);
    return;
  }
  const came = asset.chain
    .movedTo(to)
    .filter((moved) => isOf(moved, asset) && asset.chain.firstFinal(moved.block) !== undefined)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const key = `${to} ${asset.fact.uniqueAssetId}`;
  const sum = (books.topUps.get(key) ?? 0n) + gross;
  books.topUps.set(key, sum);
  findings.expect(
    sum <= came,
    'top-ups are what came to the float in final blocks',
    about,
    decimal(came, decimals),
    decimal(sum, decimals),
  );
}

/** At rest all that came to the float of an organization is booked; the gas of its payouts is not deducted. */
export function missingTopUps(organizationId: string, known: Known): void {
  for (const asset of known.assets.values()) {
    const { chain, fact } = asset;
    const float = known.refunds.floats.get(`${organizationId} ${asset.network}`);
    if (float === undefined || chain.head < 0 || chain.isDeep) continue;
    const came = chain
      .movedTo(float)
      .filter((moved) => isOf(moved, asset) && chain.isFinal(moved.block, chain.head))
      .filter(({ block }) => block.time + BOOKED_WITHIN < known.restedAt)
      .reduce((sum, { amount }) => sum + amount, 0n);
    const booked = known.books.topUps.get(`${float} ${fact.uniqueAssetId}`) ?? 0n;
    known.findings.expect(
      booked >= came,
      'all that came to a float is booked',
      `float ${float}`,
      decimal(came, fact.decimals),
      decimal(booked, fact.decimals),
    );
  }
}

/** A payout of the float to a settlement address, which the operator orders. */
export function takeFloatWithdraw(record: Json, known: Known): void {
  const { findings } = known;
  const about = `transaction ${textOf(record.id)}`;
  const from = textOf(record.from).toLowerCase();
  judgeFloat(record, from, about, known);
  const asset = known.asset(record.unique_asset_id);
  const amount = asset && units(record.gross_amount, asset.fact.decimals);
  if (asset === undefined || record.status !== 'completed') return;
  const is = asset.chain
    .movedFrom(from)
    .some(
      (moved) =>
        isOf(moved, asset) &&
        moved.amount === amount &&
        moved.transfer.to.toLowerCase() === textOf(record.to).toLowerCase() &&
        moved.transfer.transactionHash.toLowerCase() === textOf(record.transaction_hash).toLowerCase() &&
        asset.chain.firstFinal(moved.block) !== undefined,
    );
  findings.expect(
    is,
    'a completed withdraw of the float is on the chain',
    about,
    'its transfer in a final block',
    record,
  );
}

/** An organization has one float on a network, and no request has its address. */
function judgeFloat(record: Json, address: string, about: string, known: Known): void {
  const organizationId = known.books.booked.get(textOf(record.id))!.organizationId;
  const key = `${organizationId} ${textOf(record.network)}`;
  const float = known.refunds.floats.get(key) ?? address;
  const is = float === address && !known.addresses.has(address);
  known.findings.expect(is, 'an organization has one float on a network', about, float, address);
  known.refunds.floats.set(key, float);
}

function isOf({ transfer }: Moved, asset: Asset): boolean {
  return (transfer.token?.toLowerCase() ?? null) === (asset.fact.token?.toLowerCase() ?? null);
}
