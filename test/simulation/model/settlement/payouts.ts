import type { TermsFact } from '../../facts/fact.js';
import type { Block, Chain, Moved, Settled } from '../chain/chain.js';
import type { Known } from '../known/known.js';
import { type PaymentRequest, type Asset, isEnded } from '../requests/payment-request.js';
import { arrivals } from '../ledger/deposits.js';
import { chainOf, isOpen } from '../requests/status.js';
import { decimal, units } from '../known/values.js';
import { isReversed } from '../requests/outlook.js';
import { payoutsOf } from './settlements.js';

export function termsOf(request: PaymentRequest, network: string, known: Known): readonly TermsFact[] {
  const account = known.accounts.get(request.accountId);
  if (account === undefined) return [];
  const isLater = request.isCheckout && request.options.size !== 1;
  const until = isLater ? Math.max(...request.expiry.map(({ to }) => to)) : request.made.to;
  return known.termsWithin(account, network, request.made.from, until).filter((fact) => fact !== undefined);
}

export function takePayouts(block: Block, chain: Chain, known: Known): void {
  for (const settled of block.fact.settled) {
    const request = known.addresses.get(settled.forwarder);
    if (request !== undefined) judgeSettled({ block, fact: settled }, request, chain, known);
  }
  for (const transfer of block.fact.transfers) {
    const request = known.addresses.get(transfer.from);
    if (request === undefined || transfer.amount === '0') continue;
    judgePayee({ block, transfer, amount: BigInt(transfer.amount) }, request, chain, known);
  }
}

export function takeEarlierPayouts(
  address: string,
  request: PaymentRequest,
  chain: Chain,
  known: Known,
): void {
  for (const settled of chain.settledOf(address)) judgeSettled(settled, request, chain, known);
  for (const moved of chain.movedFrom(address)) judgePayee(moved, request, chain, known);
}

function judgePayee({ transfer }: Moved, request: PaymentRequest, chain: Chain, known: Known): void {
  const terms = termsOf(request, chain.network.network, known);
  if (terms.length === 0) return;
  const named = terms.flatMap(({ settlementAddress, feeRecipient }) => [
    settlementAddress,
    feeRecipient ?? '',
  ]);
  const is = named.some((address) => address.toLowerCase() === transfer.to);
  const about = `forwarder ${transfer.from} of payment request ${request.id}`;
  known.expect(is, 'a forwarder pays only addresses of its terms', about, [named, transfer]);
}

function judgeSettled({ block, fact }: Settled, request: PaymentRequest, chain: Chain, known: Known): void {
  const terms = termsOf(request, chain.network.network, known);
  if (terms.length === 0) return;
  const toSettlement = BigInt(fact.toSettlement);
  const toFee = BigInt(fact.toFee);
  const { token } = fact;
  const paid = block.fact.transfers.filter(
    (transfer) =>
      transfer.from === fact.forwarder &&
      transfer.transactionHash === fact.transactionHash &&
      transfer.token === token,
  );
  const sumTo = (address: string | undefined): bigint =>
    paid
      .filter(({ to }) => to === address?.toLowerCase())
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const fits = terms.some((each) => {
    const isOne = each.feeRecipient?.toLowerCase() === each.settlementAddress.toLowerCase();
    const isPaid = isOne
      ? sumTo(each.settlementAddress) === toSettlement + toFee
      : sumTo(each.settlementAddress) === toSettlement && sumTo(each.feeRecipient) === toFee;
    return isPaid && isShare(toSettlement, toFee, each.feeRecipient === undefined ? 0 : each.feeBasisPoints);
  });
  const about = `forwarder ${fact.forwarder} of payment request ${request.id}`;
  const expected = terms.map(({ settlementAddress, feeRecipient, feeBasisPoints }) => [
    settlementAddress,
    feeRecipient,
    feeBasisPoints,
  ]);
  known.expect(fits, 'a forwarder pays in the split of its terms', about, [expected, [fact, paid]]);
}

function isShare(toSettlement: bigint, toFee: bigint, basisPoints: number): boolean {
  const exact = (toSettlement + toFee) * BigInt(basisPoints);
  const difference = toFee * 10_000n - exact;
  return difference > -10_000n && difference < 10_000n;
}

/** A settlement that was sent before the money disappeared may be mined so much later: fees may be too high for hours. */
const UNDER_WAY = 5 * 3_600_000;

/** An address whose booked money disappeared pays nothing out until the operator releases it. */
export function judgeHeld(known: Known): void {
  for (const request of known.requests.values())
    for (const asset of known.assets.values())
      if (asset.chain === chainOf(request)) judgeAddresses(request, asset, known);
}

function judgeAddresses(request: PaymentRequest, asset: Asset, known: Known): void {
  const { about } = request;
  const { chain } = asset;
  const all = known.books.adjustments.get(`${request.id} ${asset.fact.uniqueAssetId}`) ?? [];
  if (all.length === 0 || chain.head < 0) return;
  const since = Math.max(...all.map(({ at }) => at)) + UNDER_WAY;
  const lost = arrivals(request, asset).filter(({ block }) => chain.isReversed(block));
  for (const address of new Set(lost.map(({ transfer }) => transfer.to))) {
    if (known.settlements.released.has(address)) continue;
    const paid = chain.settledOf(address).filter(({ block }) => chain.isOn(block, chain.head));
    const late = paid.find(({ block }) => block.time > since);
    known.expect(late === undefined, 'an address whose credit disappeared waits for the operator', about, [
      `no payout of ${address}`,
      late?.fact,
    ]);
  }
}

const HOUR = 3_600_000;
/** How much longer than stated a settlement may take: its run, its transaction, its final block. */
const SLACK = 2 * HOUR;
/** How long it may take until what is gathered, or found by balances alone, is booked. */
const SLOWLY = 50 * HOUR;

export function missingSettlements(known: Known): void {
  for (const request of known.requests.values()) {
    const chain = chainOf(request);
    if (chain === undefined || isOpen(request) || chain.head < 0 || isReversed(request)) continue;
    if (!isEnded(request.shown.latest())) continue;
    for (const asset of known.assets.values()) if (asset.chain === chain) judgeDue(request, asset, known);
  }
  judgeNamed(known);
  for (const [accountId, total] of known.settlements.restTotals) {
    if ((known.settlements.restSeen.get(accountId)?.size ?? 0) < total) continue;
    for (const asset of known.assets.values()) judgeSums(accountId, asset, known);
  }
}

/** A settlement that has failed delivered nothing: what it took has no settlement again, or another one. */
function judgeNamed({ books, settlements, findings }: Known): void {
  for (const [id, settlementId] of books.settledBy) {
    const status = settlements.byId.get(settlementId)?.record.status;
    findings.expect(
      status !== 'failed',
      'a settled payment names a settlement that stands',
      `transaction ${id}`,
      ['none, or one that has not failed', settlementId],
    );
  }
}

function judgeDue(request: PaymentRequest, asset: Asset, known: Known): void {
  const { chain } = asset;
  const minimum = units(asset.fact.minimumAmount, asset.fact.decimals) ?? 0n;
  const due = known.restedAt - chain.network.settlementAfterHours * HOUR - SLACK;
  let paid = 0n;
  let last = -Infinity;
  for (const address of new Set(request.selections.map((each) => each.address))) {
    for (const { block, fact } of chain.settledOf(address)) {
      if (!chain.isOn(block, chain.head) || fact.token !== asset.token) continue;
      paid += BigInt(fact.toSettlement) + BigInt(fact.toFee);
      last = Math.max(last, block.number);
    }
  }
  let came = 0n;
  let since = 0n;
  for (const { block, amount, transfer } of arrivals(request, asset)) {
    if (!chain.isFinal(block, chain.head)) continue;
    const isSlow = amount < minimum || transfer.way === 'inner';
    // The hours begin once the request has ended and what came is booked.
    const booked = Math.max(block.time, Math.max(...request.expiry.map(({ to }) => to)));
    if (booked + (isSlow ? SLOWLY : 0) > due) continue;
    came += amount;
    if (block.number >= last) since += amount;
  }
  // What came since the last settlement and is worth less than the gas of another one waits.
  if (since < worthItsGas(asset)) came -= since;
  const { decimals, symbol } = asset.fact;
  known.expect(paid >= came, 'what was collected is settled in time', request.about, [
    `${decimal(came, decimals)} ${symbol}`,
    decimal(paid, decimals),
  ]);
}

/** More than gas ever costs here: 5 units of what is pegged, a thousandth of a coin. */
function worthItsGas({ fact: { token, decimals } }: Asset): bigint {
  return token === null ? 10n ** BigInt(decimals - 3) : 5n * 10n ** BigInt(decimals);
}

function judgeSums(accountId: string, asset: Asset, known: Known): void {
  const { chain } = asset;
  if (chain.head < 0) return;
  const final = payoutsOf(accountId, asset, known).filter(({ block }) => chain.isFinal(block, chain.head));
  const net = final.reduce((sum, { fact }) => sum + BigInt(fact.toSettlement), 0n);
  const fees = final.reduce((sum, { fact }) => sum + BigInt(fact.toFee), 0n);
  let amount = 0n;
  let fee = 0n;
  for (const settlement of known.settlements.byId.values()) {
    const { record } = settlement;
    if (settlement.accountId !== accountId || record.status !== 'completed') continue;
    if (known.asset(record.unique_asset_id) !== asset) continue;
    amount += units(record.amount, asset.fact.decimals) ?? 0n;
    fee += units(record.fee_amount, asset.fact.decimals) ?? 0n;
  }
  const { decimals, symbol } = asset.fact;
  const isOpenWorld = known.mayHide({ accountId });
  const is = fee === fees && (amount === net || amount === net + fees);
  const isMore = isOpenWorld && fee >= fees && amount >= net;
  known.expect(
    is || isMore,
    'settlements add up to what forwarders paid',
    `account ${accountId}, ${symbol}`,
    [
      `${decimal(net, decimals)} and the fees ${decimal(fees, decimals)}`,
      `${decimal(amount, decimals)} and ${decimal(fee, decimals)}`,
    ],
  );
}
