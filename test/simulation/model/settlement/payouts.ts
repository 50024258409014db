import type { TermsFact } from '../../facts/fact.js';
import type { Block, Chain, Moved, Settled } from '../chain/chain.js';
import type { Known } from '../known/known.js';
import type { PaymentRequest, Asset } from '../requests/payment-request.js';
import { arrivals } from '../ledger/deposits.js';
import { chainOf } from '../requests/status.js';

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
