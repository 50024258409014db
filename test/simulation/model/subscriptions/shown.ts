import type { Heard } from '../exchange/heard.js';
import { units, isUuid, objectOf, textOf, timeOf, type Json, lower } from '../known/values.js';
import type { Known, UnansweredCreation, PointOfSale } from '../known/known.js';
import { posOf } from '../accounts/points-of-sale.js';
import { ownVerdict } from '../refunds/refund-verdicts.js';
import { type Span, WINDOW, type PaymentRequest } from '../requests/payment-request.js';
import { isAtRest } from '../requests/status.js';
import {
  isDueDate,
  firstDue,
  isSubscriptionStatus,
  LATER,
  newSubscription,
  type Subscription,
  type SubscriptionStatus,
} from './subscription.js';

const DAY = 86_400_000;
const PATIENCE = 180_000;
const KEPT = ['amount', 'unique_asset_id', 'interval', 'reference_id', 'created_at'];

/**
 * Judges a subscription as it was shown to its merchant or a wallet, and learns from it.
 * @param created when it was created, by the answer that says so
 */
export function takeSubscription(
  data: unknown,
  heard: Heard,
  known: Known,
  created?: Span,
): Subscription | undefined {
  const record = objectOf(data);
  const about = `subscription ${textOf(record.id)}`;
  const isShaped = isUuid(record.id) && isSubscriptionStatus(record.status);
  if (!known.expect(isShaped, 'the fields of a subscription', about, ['id, status', data])) return undefined;
  const subscription =
    known.subscriptions.byId.get(textOf(record.id)) ?? found(record, heard, known, created);
  if (subscription === undefined) return undefined;
  const own = ownVerdict(subscription, heard);
  known.expect(own.must.length === 0, 'a subscription is shown to its own alone', about, [own.must, record]);
  for (const name of KEPT) {
    if (record[name] === undefined || subscription.fields[name] === undefined) continue;
    known.equal('a subscription stays as it was made', about, [subscription.fields[name], record[name]]);
  }
  const wallet = record.wallet_external_id;
  if (typeof wallet === 'string') {
    known.expect(subscription.wallets.has(wallet), 'a subscription is accepted by a wallet', about, [
      [...subscription.wallets],
      wallet,
    ]);
    if (typeof record.wallet_id === 'string') known.subscriptions.walletIds.set(record.wallet_id, wallet);
  }
  showStatus(subscription, record.status as SubscriptionStatus, heard, known);
  takeTimes(subscription, record, heard, known);
  return subscription;
}

function found(record: Json, heard: Heard, known: Known, created?: Span): Subscription | undefined {
  const posId = heard.params.pos;
  if (posId === undefined) return undefined;
  const isOffer = ({ kind, parent }: UnansweredCreation) => kind === 'subscription' && parent === posId;
  const lost = created === undefined ? known.unanswered.explain(textOf(record.id), isOffer) : undefined;
  const about = `subscription ${textOf(record.id)}`;
  known.expect((created ?? lost) !== undefined, 'every subscription was created by somebody', about, [
    'a creation',
    record,
  ]);
  const pos = posOf(posId, heard.organization, known);
  const { sentAt, at } = heard.exchange;
  const subscription = newSubscription({
    id: textOf(record.id),
    posId,
    organizationId: pos.organizationId,
    accountId: pos.accountId ?? '',
    made: created ?? { from: lost?.sentAt ?? sentAt, to: at },
    fields: record,
  });
  known.makers.pointsOfSale.add(posId);
  known.subscriptions.byId.set(subscription.id, subscription);
  return subscription;
}

function showStatus(
  subscription: Subscription,
  status: SubscriptionStatus,
  heard: Heard,
  known: Known,
): void {
  const { about } = subscription;
  const { sentAt, at } = heard.exchange;
  const floor = subscription.shown.before(sentAt);
  known.expect(LATER[floor].includes(status), 'the order of a subscription’s statuses', about, [
    LATER[floor],
    status,
  ]);
  const isStarted = status === 'active' || status === 'past_due' || status === 'completed';
  const isAccepted = subscription.accepted !== undefined || subscription.mayBeAccepted;
  known.expect(!isStarted || isAccepted, 'a subscription is accepted by a wallet', about, [
    'pending or expired',
    status,
  ]);
  const expires = timeOf(subscription.fields.expires_at);
  if (status === 'expired') {
    const isLate = expires === null || at >= expires - 1000;
    known.expect(
      isLate && subscription.accepted === undefined,
      'an offer expires where nobody accepts it',
      about,
      [subscription.fields.expires_at, status],
    );
  }
  const revoked = subscription.revoked;
  if (revoked?.isCertain === true && revoked.to < sentAt && floor !== 'expired' && floor !== 'completed') {
    const isOver = status === 'revoked' || status === 'expired' || status === 'completed';
    known.expect(isOver, 'revoking stops a subscription', about, ['revoked', status]);
  }
  if (status === 'revoked' && revoked === undefined && isAccepted) {
    // Three charges in a row that stayed unpaid through all their tries: not before the first one's last try.
    const accepted = subscription.accepted;
    const ends = timeOf(subscription.fields.ends_at) ?? Infinity;
    const isLong = accepted === undefined || at > Math.min(accepted.from + 2 * DAY, ends - 1000);
    known.expect(isLong, 'a subscription is revoked by somebody, or after three charges', about, [
      'active or past_due',
      status,
    ]);
  } else if (status === 'revoked') {
    known.expect(revoked !== undefined || isAccepted, 'a subscription is revoked by somebody', about, [
      'pending or expired',
      status,
    ]);
  }
  if (isAtRest(known, sentAt) && status === 'pending' && !subscription.mayBeAccepted) {
    const isOpen = expires === null || sentAt < expires + PATIENCE;
    known.expect(isOpen, 'an offer expires where nobody accepts it', about, ['expired', status]);
  }
  if (status === 'past_due') judgePastDue(subscription, heard, known);
  subscription.shownAt = at;
  if (status !== subscription.shown.latest()) subscription.shown.learn(at, status);
}

function takeTimes(subscription: Subscription, record: Json, heard: Heard, known: Known): void {
  const { about } = subscription;
  for (const name of ['next_charge_at', 'expires_at']) {
    const value = record[name];
    const is = value === undefined || value === null || timeOf(value) !== null;
    known.expect(is, 'times of a subscription are timestamps or null', about, ['a timestamp or null', value]);
  }
  const first = firstDue(subscription);
  const next = timeOf(record.next_charge_at);
  const interval = textOf(subscription.fields.interval);
  if (next === null || first === undefined || subscription.accepted === undefined || interval === '') return;
  const hasTrial = timeOf(subscription.fields.trial_until) !== null;
  // A trial that is over at the acceptance leaves open which of the two is the first.
  if (hasTrial && first.from <= subscription.accepted.to) return;
  known.expect(isDueDate(next, first, interval), 'next_charge_at is a due date', about, [
    [first, interval],
    record.next_charge_at,
  ]);
  if (isAtRest(known, heard.exchange.sentAt) && record.status === 'active') {
    const is = next > heard.exchange.sentAt - PATIENCE;
    known.expect(is, 'next_charge_at lies ahead', about, ['a later date', record.next_charge_at]);
  }
}

export function judgeCreated(subscription: Subscription, record: Json, heard: Heard, known: Known): void {
  const { about } = subscription;
  const { body } = heard;
  const asset = known.asset(body.unique_asset_id);
  known.equal('a new subscription is pending', about, ['pending', record.status]);
  known.equal('a subscription is created as asked', about, [body.interval, record.interval]);
  known.equal('a subscription is created as asked', about, [body.reference_id, record.reference_id]);
  if (asset === undefined) return;
  known.equal('a subscription is created as asked', about, [
    asset.fact.uniqueAssetId,
    record.unique_asset_id,
  ]);
  const { decimals } = asset.fact;
  const isAmount = units(record.amount, decimals) === units(body.amount, decimals);
  known.expect(isAmount, 'a subscription is created as asked', about, [body.amount, record.amount]);
  const expires = timeOf(record.expires_at);
  const { from, to } = subscription.made;
  const set = timeOf(body.expires_at);
  const isDay = expires !== null && expires >= from + DAY - 2000 && expires <= to + DAY + 2000;
  const is = set === null ? isDay : expires === set;
  known.expect(is, 'an offer stands for 24 hours unless set', about, [set ?? to + DAY, record.expires_at]);
}

/** How long after a due date its charge may open. */
const PROMPTLY = 300_000;
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
