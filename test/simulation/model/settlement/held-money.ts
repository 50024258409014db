import type { Known } from '../known/known.js';
import { arrivals } from '../ledger/deposits.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { chainOf } from '../requests/status.js';

/** A settlement that was sent before the money disappeared may be mined so much later: fees may be too high for hours. */
const UNDER_WAY = 5 * 3_600_000;

/** An address whose booked money disappeared pays nothing out until the operator releases it. */
export function judgeHeld(known: Known): void {
  for (const request of known.requests.values())
    for (const asset of known.assets.values())
      if (asset.chain === chainOf(request)) judgeAddresses(request, asset, known);
}

function judgeAddresses(request: PaymentRequest, asset: Asset, known: Known): void {
  const { chain } = asset;
  const all = known.books.adjustments.get(`${request.id} ${asset.fact.uniqueAssetId}`) ?? [];
  if (all.length === 0 || chain.head < 0) return;
  const since = Math.max(...all.map(({ at }) => at)) + UNDER_WAY;
  const lost = arrivals(request, asset).filter(({ block }) => chain.isReversed(block));
  for (const address of new Set(lost.map(({ transfer }) => transfer.to.toLowerCase()))) {
    if (known.settlements.released.has(address)) continue;
    const paid = chain.settledOf(address).filter(({ block }) => chain.isOn(block, chain.head));
    const late = paid.find(({ block }) => block.time > since);
    known.findings.expect(
      late === undefined,
      'an address whose credit disappeared waits for the operator',
      `payment request ${request.id}`,
      `no payout of ${address}`,
      late?.fact,
    );
  }
}
