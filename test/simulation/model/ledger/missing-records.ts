import { decimal, signedUnits, units, textOf, timeOf, type Json } from '../known/values.js';
import type { Known } from '../known/known.js';
import { isReversed, lookAt } from '../requests/outlook.js';
import { OUTCOMES, type PaymentRequest, isEnded, type Asset } from '../requests/payment-request.js';
import { chainOf, isOpen } from '../requests/status.js';
import { extras, missingTopUps, arrivals, isDue } from './deposits.js';
import { missingRefund } from './other-records.js';
import { judgeNet } from './payments-in.js';

/** At rest every confirmed request has its `payment_in`, and everything else that came its deposit. */
export function missingRecords(known: Known): void {
  for (const organizationId of known.organizations.keys()) {
    const scope = known.books.scopes.get(`organization ${organizationId}`);
    if (scope?.restTotal === undefined) continue;
    // Only where every place of the list was read can anything be missing from it.
    let isRead = true;
    for (let rank = 1; rank <= scope.restTotal && isRead; rank += 1) isRead = scope.ranks.has(rank);
    if (!isRead) continue;
    missingTopUps(organizationId, known);
    for (const refund of known.refunds.byId.values()) {
      if (refund.organizationId === organizationId) missingRefund(refund, known);
    }
    for (const request of known.requests.values()) {
      if (request.organizationId === organizationId) missingOf(request, known);
    }
  }
}

function missingOf(request: PaymentRequest, known: Known): void {
  const { about } = request;
  const chain = chainOf(request);
  if (chain === undefined || isOpen(request) || chain.head < 0) return;
  for (const asset of known.assets.values()) if (asset.chain === chain) judgeStanding(request, asset, known);
  if (isReversed(request)) return;
  const { books } = known;
  const looks = request.expiry.flatMap(({ from, to }) => [
    lookAt(request, from, chain.head),
    lookAt(request, to, chain.head),
  ]);
  const isConfirmed = looks.every(({ statuses }) => statuses.every((status) => OUTCOMES.includes(status)));
  const isEnded = OUTCOMES.includes(request.shown.latest());
  if ((isConfirmed || isEnded) && !books.paymentIns.has(request.id)) {
    known.differ('each confirmed request has its payment_in', about, ['one payment_in', 'none at rest']);
  }
  if (looks.length > 2) return;
  for (const asset of known.assets.values()) {
    if (asset.chain !== chain) continue;
    const least = extras(request, asset, 'least', known.now);
    const booked = books.deposits.get(`${request.id} ${asset.fact.uniqueAssetId}`) ?? 0n;
    const text = `${decimal(least, asset.fact.decimals)} ${asset.fact.symbol}`;
    known.expect(booked >= least, 'what came and did not count is a deposit', about, [
      text,
      decimal(booked, asset.fact.decimals),
    ]);
  }
}

/** An adjustment reverses one transfer that was final and disappeared: without such, there is none. */
export function takeAdjustment(record: Json, isNew: boolean, known: Known): void {
  const about = `transaction ${textOf(record.id)}`;
  const { books } = known;
  known.equal('the status of an adjustment', about, ['completed', record.status]);
  const isDeep = [...known.chains.values()].some((chain) => chain.isDeep);
  const rule = 'an adjustment reverses what was final and disappeared';
  if (!known.expect(isDeep, rule, about, ['no adjustment', record]) || !isNew) return;
  const request = known.requests.get(textOf(record.payment_request_id));
  const asset = known.asset(record.unique_asset_id);
  if (request === undefined || asset === undefined || request.selections.length === 0) return;
  const [gross, net] = [record.gross_amount, record.net_amount].map((text) =>
    signedUnits(text, asset.fact.decimals),
  );
  if (gross == null || net == null) {
    known.differ('the amounts of a transaction', about, ['decimal amounts of the asset', record]);
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
  known.expect(isOne && all.length <= lost.length, rule, about, [
    lost.map(({ amount }) => decimal(-amount, asset.fact.decimals)),
    all.map((each) => decimal(each.gross, asset.fact.decimals)),
  ]);
}

/** At rest the records about an asset of a request add up to what came of it in blocks that are final still. */
export function judgeStanding(request: PaymentRequest, asset: Asset, known: Known): void {
  const { about } = request;
  if (!isEnded(request.shown.latest())) return;
  const { books } = known;
  const { chain, fact } = asset;
  const key = `${request.id} ${fact.uniqueAssetId}`;
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
  known.expect(least <= booked && booked <= most, 'the ledger has what came and is final still', about, [
    `${decimal(least, fact.decimals)} to ${decimal(most, fact.decimals)} ${fact.symbol}`,
    decimal(booked, fact.decimals),
  ]);
}
