import type { Heard } from '../exchange/heard.js';
import { decimal, units, textOf, type Json, lower, signedUnits, timeOf } from '../known/values.js';
import type { Known } from '../known/known.js';
import type { Refund } from '../refunds/refund.js';
import { takeFloatWithdraw, extras, missingTopUps, arrivals, isDue } from './deposits.js';
import { isReversed, lookAt } from '../requests/outlook.js';
import { OUTCOMES, type PaymentRequest, isEnded, type Asset } from '../requests/payment-request.js';
import { chainOf, isOpen } from '../requests/status.js';
import { judgeNet } from './payments-in.js';

const FOLLOWING = ['pending', 'processing', 'completed', 'failed'];

export function takeWithdraw(record: Json, _heard: Heard, known: Known): void {
  const { books } = known;
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  known.expect(FOLLOWING.includes(textOf(record.status)), 'the status of a withdraw', about, [
    FOLLOWING,
    record.status,
  ]);
  if (record.status === 'failed') judgeFailed(record, about, known);
  known.equal('a withdraw goes to a settlement address', about, ['settlement_address', record.to_type]);
  const organizationId = books.booked.get(id)!.organizationId;
  const named = (known.terms.get(organizationId) ?? []).map((terms) => terms.settlementAddress.toLowerCase());
  const is = named.includes(lower(record.to));
  known.expect(is, 'a withdraw pays to an address of the terms', about, [named, record.to]);
  if (record.from_type === 'wallet') return takeFloatWithdraw(record, known);
  if (record.status !== 'completed') return;
  const hash = lower(record.transaction_hash);
  const all = books.withdraws.get(hash) ?? new Map<string, Json>();
  if (all.has(id)) return;
  books.withdraws.set(hash, all.set(id, record));
  judgeDelivered(record, [...all.values()], about, known);
}

/** A withdraw fails after it was completed only where the chain left its final block: it is no delivery any more. */
function judgeFailed({ id, unique_asset_id: assetId }: Json, about: string, known: Known): void {
  const chain = known.asset(assetId)?.chain;
  if (chain === undefined) return;
  for (const [hash, all] of known.books.withdraws) {
    if (!all.delete(textOf(id))) continue;
    const isGone = chain.settledIn(hash).some(({ block }) => chain.isReversed(block));
    known.expect(isGone, 'a completed withdraw stays so', about, ['completed', 'failed']);
  }
}

/** Withdraws of one transaction are no more than its forwarders paid out. */
function judgeDelivered(record: Json, all: readonly Json[], about: string, known: Known): void {
  const asset = known.asset(record.unique_asset_id);
  const amount = asset === undefined ? null : units(record.gross_amount, asset.fact.decimals);
  if (asset === undefined || amount === null) return;
  const hash = lower(record.transaction_hash);
  const paid = asset.chain.settledIn(hash).filter(({ fact }) => fact.token === asset.token);
  const block = paid.find((each) => asset.chain.firstFinal(each.block) !== undefined)?.block;
  const whole = paid
    .filter((each) => each.block === block)
    .reduce((sum, { fact }) => sum + BigInt(fact.toSettlement) + BigInt(fact.toFee), 0n);
  const sum = all
    .filter((other) => known.asset(other.unique_asset_id) === asset)
    .reduce((total, other) => total + (units(other.gross_amount, asset.fact.decimals) ?? 0n), 0n);
  const { decimals } = asset.fact;
  known.expect(sum <= whole, 'withdraws are what forwarders paid in a final block', about, [
    decimal(whole, decimals),
    decimal(sum, decimals),
  ]);
}

export function takeRefund(record: Json, _heard: Heard, known: Known): void {
  const { books } = known;
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  known.expect(FOLLOWING.includes(textOf(record.status)), 'the status of a refund', about, [
    FOLLOWING,
    record.status,
  ]);
  const requestId = textOf(record.payment_request_id);
  const booked = books.refunds.get(requestId) ?? new Map<string, Json>();
  books.refunds.set(requestId, booked.set(id, record));
  const asset = known.asset(record.unique_asset_id);
  const refunds = known.refunds.of(requestId);
  const isHidden = known.unanswered.some(({ kind, parent }) => kind === 'refund' && parent === requestId);
  if (asset === undefined || isHidden) return;
  const amount = units(record.gross_amount, asset.fact.decimals);
  const fitting = refunds.filter((refund) => refund.asset === asset && (refund.amount ?? amount) === amount);
  const sums = refunds.map((refund) => refund.amount);
  known.expect(fitting.length > 0, 'a refund in the ledger is one that was made', about, [
    sums,
    record.gross_amount,
  ]);
}

export function judgeRefundRecords(known: Known): void {
  for (const [requestId, records] of known.books.refunds) {
    const refunds = known.refunds.of(requestId);
    if (known.unanswered.some(({ kind, parent }) => kind === 'refund' && parent === requestId)) continue;
    for (const [id, record] of records) {
      const asset = known.asset(record.unique_asset_id);
      const to = lower(record.to);
      const isMade = refunds.some(
        (refund) => refund.asset === asset && refund.address === to && mayStand(refund, known),
      );
      known.expect(
        asset === undefined || isMade,
        'a refund in the ledger is one that was approved',
        `transaction ${id}`,
        [refunds.map(({ address }) => address), record.to],
      );
    }
  }
}

function mayStand({ id, isDirect, accountId }: Refund, { refunds }: Known): boolean {
  return (
    isDirect ||
    refunds.approved.has(id) ||
    refunds.limits.some((limit) => limit.isAutomatic && limit.accountId === accountId)
  );
}

export function missingRefund(refund: Refund, known: Known): void {
  const { asset, amount } = refund;
  if (refund.shown.latest() !== 'completed' || asset === undefined || amount === null) return;
  const records = [...(known.books.refunds.get(refund.requestId)?.values() ?? [])];
  const booked = records.some(
    ({ status, gross_amount: gross }) =>
      status === 'completed' && units(gross, asset.fact.decimals) === amount,
  );
  known.expect(booked, 'each completed refund is in the ledger', refund.about, [
    'a refund, completed',
    'none at rest',
  ]);
}

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
