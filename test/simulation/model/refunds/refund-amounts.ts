import type { Heard } from '../exchange/heard.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { receivedOf } from './refund-verdicts.js';
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
  if (request !== undefined) judgeDefault(refund, amount, request, asset, known);
}

function judgeDefault(
  { id, requestId }: Refund,
  amount: bigint,
  request: PaymentRequest,
  asset: Asset,
  { findings, books, refunds }: Known,
): void {
  const selection = request.selections.find((each) => each.asset === asset);
  if (selection === undefined) return;
  const { decimals } = asset.fact;
  const isOverpaid = request.shown.latest() === 'overpaid';
  const rule = isOverpaid
    ? 'the default of an overpaid request is the excess'
    : 'the default is all that was received';
  const judge = (is: boolean, expected: bigint) =>
    findings.expect(is, rule, `refund ${id}`, decimal(expected, decimals), decimal(amount, decimals));
  // What came after the outcome may be refunded with the excess.
  const most = receivedOf(request, asset) - selection.amount;
  if (isOverpaid) judge(amount <= most, most);
  const gross = units(books.paymentIns.get(request.id)?.record.gross_amount, decimals);
  if (gross === null || refunds.of(requestId).length > 1) return;
  const least = isOverpaid ? gross - selection.amount : gross;
  judge(amount >= least, least);
}
