import type { TermsFact } from '../../facts/fact.js';
import type { Block, Chain, Moved, Settled } from '../chain/chain.js';
import type { Known } from '../known/known.js';
import type { PaymentRequest } from '../requests/payment-request.js';

/** The terms that an address of a request may commit to. */
export function termsOf(request: PaymentRequest, network: string, known: Known): readonly TermsFact[] {
  const account = known.accounts.get(request.accountId);
  if (account === undefined) return [];
  const isLater = request.isCheckout && request.options.size !== 1;
  const until = isLater ? Math.max(...request.expiry.map(({ to }) => to)) : request.made.to;
  return known.termsWithin(account, network, request.made.from, until).filter((fact) => fact !== undefined);
}

/** A forwarder pays only the settlement address and the fee recipient that its address commits to. */
export function takePayouts(block: Block, chain: Chain, known: Known): void {
  for (const settled of block.fact.settled) {
    const request = known.addresses.get(settled.forwarder.toLowerCase());
    if (request !== undefined) judgeSettled({ block, fact: settled }, request, chain, known);
  }
  for (const transfer of block.fact.transfers) {
    const request = known.addresses.get(transfer.from.toLowerCase());
    if (request === undefined || transfer.amount === '0') continue;
    judgePayee({ block, transfer, amount: BigInt(transfer.amount) }, request, chain, known);
  }
}

/** An address that is heard of late may have paid before. */
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
  const is = named.some((address) => address.toLowerCase() === transfer.to.toLowerCase());
  const about = `forwarder ${transfer.from} of payment request ${request.id}`;
  known.findings.expect(is, 'a forwarder pays only addresses of its terms', about, named, transfer);
}

function judgeSettled({ block, fact }: Settled, request: PaymentRequest, chain: Chain, known: Known): void {
  const terms = termsOf(request, chain.network.network, known);
  if (terms.length === 0) return;
  const toSettlement = BigInt(fact.toSettlement);
  const toFee = BigInt(fact.toFee);
  const token = fact.token?.toLowerCase() ?? null;
  const paid = block.fact.transfers.filter(
    (transfer) =>
      transfer.from.toLowerCase() === fact.forwarder.toLowerCase() &&
      transfer.transactionHash === fact.transactionHash &&
      (transfer.token?.toLowerCase() ?? null) === token,
  );
  const sumTo = (address: string | undefined): bigint =>
    paid
      .filter(({ to }) => address !== undefined && to.toLowerCase() === address.toLowerCase())
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
  known.findings.expect(fits, 'a forwarder pays in the split of its terms', about, expected, [fact, paid]);
}

/** The fee share of all that a forwarder settles, rounded either way. */
function isShare(toSettlement: bigint, toFee: bigint, basisPoints: number): boolean {
  const exact = (toSettlement + toFee) * BigInt(basisPoints);
  const difference = toFee * 10_000n - exact;
  return difference > -10_000n && difference < 10_000n;
}
