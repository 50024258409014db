import { decimal, signedUnits, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { textOf, timeOf, type Json } from '../known/values.js';
import { isEnded, type Asset, type PaymentRequest } from '../requests/payment-request.js';
import { arrivals, isDue } from './deposits.js';
import { judgeNet } from './payments-in.js';

/** An adjustment reverses one transfer that was final and disappeared: without such, there is none. */
export function takeAdjustment(record: Json, isNew: boolean, known: Known): void {
  const about = `transaction ${textOf(record.id)}`;
  const { findings, books } = known;
  const isDone = record.status === 'completed';
  findings.expect(isDone, 'the status of an adjustment', about, 'completed', record.status);
  const isDeep = [...known.chains.values()].some((chain) => chain.isDeep);
  const rule = 'an adjustment reverses what was final and disappeared';
  if (!findings.expect(isDeep, rule, about, 'no adjustment', record) || !isNew) return;
  const request = known.requests.get(textOf(record.payment_request_id));
  const asset = known.asset(record.unique_asset_id);
  if (request === undefined || asset === undefined || request.selections.length === 0) return;
  const [gross, net] = [record.gross_amount, record.net_amount].map((text) =>
    signedUnits(text, asset.fact.decimals),
  );
  if (gross == null || net == null) {
    findings.differ('the amounts of a transaction', about, 'decimal amounts of the asset', record);
    return;
  }
  const key = `${request.id} ${asset.fact.uniqueAssetId}`;
  const all = [
    ...(books.adjustments.get(key) ?? []),
    { gross, net, at: timeOf(record.created_at) ?? known.now },
  ];
  books.adjustments.set(key, all);
  const lost = arrivals(request, asset).filter(({ block }) => asset.chain.isReversed(block));
  const isOne = lost.some(({ amount, transfer }) => -amount === gross || transfer.way === 'inner');
  findings.expect(
    isOne && all.length <= lost.length,
    rule,
    about,
    lost.map(({ amount }) => decimal(-amount, asset.fact.decimals)),
    all.map((each) => decimal(each.gross, asset.fact.decimals)),
  );
}

/** At rest the records about an asset of a request add up to what came of it in blocks that are final still. */
export function judgeStanding(request: PaymentRequest, asset: Asset, known: Known): void {
  if (!isEnded(request.shown.latest())) return;
  const { books, findings } = known;
  const { chain, fact } = asset;
  const key = `${request.id} ${fact.uniqueAssetId}`;
  const about = `payment request ${request.id}`;
  const record = books.paymentIns.get(request.id)?.record;
  const isPaid = known.asset(record?.unique_asset_id) === asset;
  const reversals = books.adjustments.get(key) ?? [];
  const deposits = books.deposits.get(key) ?? 0n;
  const standing = (field: 'gross' | 'net') =>
    reversals.reduce(
      (sum, each) => sum + each[field],
      (isPaid && units(record?.[`${field}_amount`], fact.decimals)) || 0n,
    );
  const booked = standing('gross') + deposits;
  // A reversal may be of a deposit, which has a fee of its own.
  if (reversals.length > 0 && deposits === 0n)
    judgeNet(booked, standing('net'), request, asset, 0n, about, known);
  const final = arrivals(request, asset).filter(({ block }) => chain.isFinal(block, chain.head));
  const most = final.reduce((sum, { amount }) => sum + amount, 0n);
  const least = final
    .filter((moved) => isDue(moved, asset, known.now))
    .reduce((sum, { amount }) => sum + amount, 0n);
  findings.expect(
    least <= booked && booked <= most,
    'the ledger has what came and is final still',
    about,
    `${decimal(least, fact.decimals)} to ${decimal(most, fact.decimals)} ${fact.symbol}`,
    decimal(booked, fact.decimals),
  );
}
