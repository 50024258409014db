import type { Heard } from '../exchange/heard.js';
import { units, isUuid, objectOf, textOf, timeOf, type Json } from '../known/values.js';
import type { Known, UnansweredCreation } from '../known/known.js';
import { posOf } from '../accounts/points-of-sale.js';
import { ownVerdict } from '../refunds/refund-verdicts.js';
import type { Span } from '../requests/payment-request.js';
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
import { judgePastDue } from './charges.js';

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
