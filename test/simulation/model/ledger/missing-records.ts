import { decimal } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { isReversed, lookAt } from '../requests/outlook.js';
import { OUTCOMES, type PaymentRequest } from '../requests/payment-request.js';
import { chainOf, isOpen } from '../requests/status.js';
import { extras } from './deposits.js';
import { missingTopUps } from './floats.js';
import { missingRefund } from './other-records.js';
import { judgeStanding } from './reversals.js';

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
  const chain = chainOf(request);
  if (chain === undefined || isOpen(request) || chain.head < 0) return;
  for (const asset of known.assets.values()) if (asset.chain === chain) judgeStanding(request, asset, known);
  if (isReversed(request)) return;
  const { findings, books } = known;
  const about = `payment request ${request.id}`;
  const looks = request.expiry.flatMap(({ from, to }) => [
    lookAt(request, from, chain.head),
    lookAt(request, to, chain.head),
  ]);
  const isConfirmed = looks.every(({ statuses }) => statuses.every((status) => OUTCOMES.includes(status)));
  const isEnded = OUTCOMES.includes(request.shown.latest());
  if ((isConfirmed || isEnded) && !books.paymentIns.has(request.id)) {
    findings.differ('each confirmed request has its payment_in', about, 'one payment_in', 'none at rest');
  }
  if (looks.length > 2) return;
  for (const asset of known.assets.values()) {
    if (asset.chain !== chain) continue;
    const least = extras(request, asset, 'least', known.now);
    const booked = books.deposits.get(`${request.id} ${asset.fact.uniqueAssetId}`) ?? 0n;
    const text = `${decimal(least, asset.fact.decimals)} ${asset.fact.symbol}`;
    findings.expect(
      booked >= least,
      'what came and did not count is a deposit',
      about,
      text,
      decimal(booked, asset.fact.decimals),
    );
  }
}
