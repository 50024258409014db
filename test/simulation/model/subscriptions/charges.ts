import type { Heard } from '../exchange/heard.js';
import { units, lower } from '../known/values.js';
import type { Known, PointOfSale } from '../known/known.js';
import { WINDOW, type PaymentRequest } from '../requests/payment-request.js';
import { firstDue, type Subscription } from './subscription.js';

/** How long after a due date its charge may open. */
const PROMPTLY = 300_000;
/** Times are written in milliseconds. */
const ROUNDING = 1_000;

export function missingCharges(known: Known): void {
  const byReference = new Map<string, Subscription | null>();
  for (const subscription of known.subscriptions.byId.values()) {
    const reference = referenceOf(subscription);
    // A reference that several share says nothing of whose charge a request is.
    byReference.set(reference, byReference.has(reference) ? null : subscription);
  }
  for (const [reference, subscription] of byReference) {
    if (subscription === null) continue;
    const pos = known.pointsOfSale.get(subscription.posId);
    if (pos === undefined) continue;
    const charges = pos.requests
      .filter(
        (request) => request.isByService && request.referenceId === reference && request.createdAt !== null,
      )
      .sort((one, other) => one.createdAt! - other.createdAt!);
    judgeCharges(subscription, charges, known);
    judgePaid(subscription, charges, known);
    // A charge may have been taken for what a lost exchange made.
    const isOpened = pos.requests.some((request) => request.referenceId === reference);
    if (pos.listedAt >= known.restedAt && !isOpened) judgeFirst(subscription, pos, known);
  }
}

function referenceOf({ fields, id }: Subscription): string {
  return typeof fields.reference_id === 'string' ? fields.reference_id : id;
}

function judgeCharges(subscription: Subscription, charges: readonly PaymentRequest[], known: Known): void {
  const { about } = subscription;
  const first = firstDue(subscription);
  const revoked = subscription.revoked?.isCertain === true ? subscription.revoked.to : Infinity;
  let open = -Infinity;
  for (const charge of charges) {
    const at = charge.createdAt!;
    const when = new Date(at).toISOString();
    known.expect(at >= open, 'a charge has one open request at most', about, [`none before ${open}`, when]);
    known.expect(at <= revoked + 1000, 'revoking stops all future charges', about, [
      `none after ${revoked}`,
      when,
    ]);
    const isDue = first === undefined || at >= first.from - 1000;
    known.expect(isDue, 'nothing is charged before the first due date', about, [first, when]);
    open = Math.min(...charge.expiry.map(({ from }) => from));
    const [selection] = charge.selections;
    const amount = selection && units(subscription.fields.amount, selection.asset.fact.decimals);
    const is = selection === undefined || selection.amount === amount;
    known.expect(is, 'a charge is of the subscription’s amount', about, [
      subscription.fields.amount,
      selection?.amount,
    ]);
  }
}

function judgeFirst(subscription: Subscription, pos: PointOfSale, known: Known): void {
  const first = firstDue(subscription);
  if (first === undefined || subscription.accepted === undefined || subscription.revoked !== undefined)
    return;
  const due = Math.max(first.to, subscription.accepted.to);
  if (due + PROMPTLY >= known.restedAt) return;
  // An asset that is no payment option any more cannot be asked for.
  const asset = lower(subscription.fields.unique_asset_id);
  if (!pos.options.within(due, due + PROMPTLY).every((options) => options.has(asset))) return;
  known.differ('a due date opens a charge', subscription.about, [
    `a request since ${new Date(due).toISOString()}`,
    'none at rest',
  ]);
}

export function judgePastDue(subscription: Subscription, { exchange }: Heard, known: Known): void {
  const first = firstDue(subscription);
  if (first === undefined || subscription.accepted === undefined) return;
  const reference = referenceOf(subscription);
  // A reference that several share says nothing of whose charge a request is.
  const sharing = [...known.subscriptions.byId.values()].filter((each) => referenceOf(each) === reference);
  if (sharing.length > 1) return;
  let since = Math.max(first.from, subscription.accepted.from);
  const requests = known.pointsOfSale.get(subscription.posId)?.requests ?? [];
  const cut = requests
    .filter(
      ({ referenceId, isByService, createdAt }) =>
        referenceId === reference && isByService && createdAt !== null,
    )
    .flatMap(({ createdAt, cutAt }) => (cutAt === undefined ? [] : [{ createdAt: createdAt!, cutAt }]))
    .sort((one, other) => one.cutAt - other.cutAt);
  // Until then no other request of it can have stood for long enough.
  for (const { createdAt, cutAt } of cut)
    if (createdAt < since + WINDOW && cutAt < createdAt + WINDOW) since = Math.max(since, cutAt);
  known.expect(
    exchange.at >= since + WINDOW - ROUNDING,
    'a charge is missed by a whole window alone',
    subscription.about,
    [`active until ${new Date(since + WINDOW).toISOString()}`, 'past_due'],
  );
}

function judgePaid(subscription: Subscription, charges: readonly PaymentRequest[], known: Known): void {
  const { about } = subscription;
  const status = subscription.shown.latest();
  const isNobodys = status === 'revoked' && subscription.revoked === undefined && charges.length <= 3;
  const isPaid = charges.at(-1)?.shown.latest() === 'completed';
  if (!isPaid || subscription.shownAt < known.restedAt || (status !== 'past_due' && !isNobodys)) return;
  known.differ('a paid charge ends that a subscription is past due', about, ['active or completed', status]);
}
