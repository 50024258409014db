import type { Heard } from '../exchange/heard.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import type { PaymentRequest } from '../requests/payment-request.js';
import type { Refund } from './refund.js';

/** Judges the asset and the amount of a new refund: those asked for, else all that was received, or the excess of an overpaid request. */
export function judgeAmount(
  refund: Refund,
  request: PaymentRequest | undefined,
  heard: Heard,
  known: Known,
): void {
  const { asset, amount } = refund;
  if (asset === undefined || amount === null) return;
  const { findings } = known;
  const { decimals } = asset.fact;
  const about = `refund ${refund.id}`;
  const named = known.asset(heard.body.unique_asset_id) ?? asset;
  findings.expect(
    asset === named,
    'a refund is of the asset asked for',
    about,
    named.fact.uniqueAssetId,
    asset.fact.uniqueAssetId,
  );
  if (heard.body.amount !== undefined) {
    const asked = units(heard.body.amount, decimals);
    const is = asked === null || asked === amount;
    findings.expect(
      is,
      'a refund is of the amount asked for',
      about,
      heard.body.amount,
      decimal(amount, decimals),
    );
    return;
  }
  if (request === undefined || known.refunds.of(request.id).length > 1) return;
  const gross = units(known.books.paymentIns.get(request.id)?.record.gross_amount, decimals);
  const selection = request.selections.find((each) => each.asset === asset);
  if (gross === null || selection === undefined) return;
  const isOverpaid = request.shown.latest() === 'overpaid';
  const least = isOverpaid ? gross - selection.amount : gross;
  const rule = isOverpaid
    ? 'the default of an overpaid request is the excess'
    : 'the default is all that was received';
  findings.expect(amount >= least, rule, about, decimal(least, decimals), decimal(amount, decimals));
  if (!isOverpaid) return;
  // Deposits of the same request may be refunded with the excess.
  const isBelow = amount < gross || known.books.deposits.size > 0;
  findings.expect(isBelow, rule, about, decimal(least, decimals), decimal(amount, decimals));
}
