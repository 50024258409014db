import type { Heard } from '../exchange/heard.js';
import type { Account, Known, Tolerance } from '../known/known.js';
import { units, objectOf, type Json } from '../known/values.js';
import { isWithoutRate } from './creation.js';
import { isStatus, type PaymentRequest } from './payment-request.js';

const NONE: Tolerance = { points: 0, most: undefined };

/** Notes the tolerance that a request names for its account. Where it was not answered, the one before may be in force still. */
export function changeTolerance(account: Account | undefined, { body, exchange }: Heard): void {
  const told = toleranceIn(body.underpayment_tolerance);
  if (account === undefined || told === undefined) return;
  const { sentAt, at, answer } = exchange;
  const before = account.tolerance.latest() ?? NONE;
  const isDone = answer !== 'lost' && answer.status === 200;
  account.tolerance.change(told, sentAt, isDone ? at : Infinity);
  if (!isDone) account.tolerance.change(before, sentAt, Infinity);
}

export function learnTolerance({ tolerance }: Account, shown: unknown): void {
  if (tolerance.latest() === undefined) tolerance.change(toleranceIn(shown) ?? NONE, 0);
}

function toleranceIn(told: unknown): Tolerance | undefined {
  const { basis_points: points, at_most: most } = objectOf(told);
  return typeof points === 'number' ? { points, most } : undefined;
}

/** `fulfilled`: completed or overpaid, and underpaid within the account's tolerance. */
export function takeFulfilled(request: PaymentRequest, record: Json, at: number, known: Known): void {
  if (typeof record.fulfilled !== 'boolean' || !isStatus(record.status)) return;
  const is = record.status === 'completed' || record.status === 'overpaid';
  if (record.status === 'underpaid' && isTolerable(request, record, at, known)) return;
  const found = `${record.fulfilled} (${record.status})`;
  known.expect(record.fulfilled === is, 'fulfilled', request.about, [is, found]);
}

/** @returns false where what is missing is beyond a bound of each tolerance that the account had since the request was created */
function isTolerable(request: PaymentRequest, record: Json, at: number, known: Known): boolean {
  const tolerances = known.accounts.get(request.accountId)?.tolerance.within(request.made.from, at);
  if (tolerances === undefined) return true;
  const [selection] = request.selections;
  const received = selection && units(record.received_amount, selection.asset.fact.decimals);
  const isSure = request.selections.length === 1 && request.maybeSelected.size === 0;
  if (!isSure || received == null) return tolerances.some(({ points }) => points > 0);
  const { asset, amount } = selection!;
  const missing = amount - received;
  const hasNoRate = !request.isCheckout || isWithoutRate(asset, request.coinCode ?? '');
  return tolerances.some(({ points, most }) => {
    const atMost = units(most, 18);
    const isBeyond =
      hasNoRate && atMost !== null && missing * 10n ** 18n > atMost * 10n ** BigInt(asset.fact.decimals);
    return missing * 10_000n <= BigInt(points) * amount && !isBeyond;
  });
}
