import { organizationOf, type Heard } from '../exchange/heard.js';
import { units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import type { UnansweredCreation } from '../known/unanswered.js';
import { isUuid, objectOf, textOf, timeOf, type Json } from '../known/values.js';
import { posOf } from '../accounts/points-of-sale.js';
import { ownVerdict } from '../refunds/refund-verdicts.js';
import type { Span } from '../requests/payment-request.js';
import { isAtRest } from '../requests/status.js';
import { isDueDate } from './calendar.js';
import { judgePastDue } from './charges.js';
import {
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
  const { findings } = known;
  const record = objectOf(data);
  const about = `subscription ${textOf(record.id)}`;
  const isShaped = isUuid(record.id) && isSubscriptionStatus(record.status);
  if (!findings.expect(isShaped, 'the fields of a subscription', about, 'id, status', data)) return undefined;
  const subscription =
    known.subscriptions.byId.get(textOf(record.id)) ?? found(record, heard, known, created);
  if (subscription === undefined) return undefined;
  const own = ownVerdict(subscription, heard);
  findings.expect(own.must.length === 0, 'a subscription is shown to its own alone', about, own.must, record);
  for (const name of KEPT) {
    if (record[name] === undefined || subscription.fields[name] === undefined) continue;
    const is = record[name] === subscription.fields[name];
    findings.expect(
      is,
      'a subscription stays as it was made',
      about,
      subscription.fields[name],
      record[name],
    );
  }
  const wallet = record.wallet_external_id;
  if (typeof wallet === 'string') {
    findings.expect(
      subscription.wallets.has(wallet),
      'a subscription is accepted by a wallet',
      about,
      [...subscription.wallets],
      wallet,
    );
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
  known.findings.expect(
    (created ?? lost) !== undefined,
    'every subscription was created by somebody',
    about,
    'a creation',
    record,
  );
  const pos = posOf(posId, organizationOf(heard), known);
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
  const { findings } = known;
  const { sentAt, at } = heard.exchange;
  const about = `subscription ${subscription.id}`;
  const floor = subscription.shown.before(sentAt);
  findings.expect(
    LATER[floor].includes(status),
    'the order of a subscription’s statuses',
    about,
    LATER[floor],
    status,
  );
  const isStarted = status === 'active' || status === 'past_due' || status === 'completed';
  const isAccepted = subscription.accepted !== undefined || subscription.mayBeAccepted;
  findings.expect(
    !isStarted || isAccepted,
    'a subscription is accepted by a wallet',
    about,
    'pending or expired',
    status,
  );
  const expires = timeOf(subscription.fields.expires_at);
  if (status === 'expired') {
    const isLate = expires === null || at >= expires - 1000;
    findings.expect(
      isLate && subscription.accepted === undefined,
      'an offer expires where nobody accepts it',
      about,
      subscription.fields.expires_at,
      status,
    );
  }
  const revoked = subscription.revoked;
  if (revoked?.isCertain === true && revoked.to < sentAt && floor !== 'expired' && floor !== 'completed') {
    const isOver = status === 'revoked' || status === 'expired' || status === 'completed';
    findings.expect(isOver, 'revoking stops a subscription', about, 'revoked', status);
  }
  if (status === 'revoked' && revoked === undefined && isAccepted) {
    // Three charges in a row that stayed unpaid through all their tries: not before the first one's last try.
    const accepted = subscription.accepted;
    const ends = timeOf(subscription.fields.ends_at) ?? Infinity;
    const isLong = accepted === undefined || at > Math.min(accepted.from + 2 * DAY, ends - 1000);
    findings.expect(
      isLong,
      'a subscription is revoked by somebody, or after three charges',
      about,
      'active or past_due',
      status,
    );
  } else if (status === 'revoked') {
    findings.expect(
      revoked !== undefined || isAccepted,
      'a subscription is revoked by somebody',
      about,
      'pending or expired',
      status,
    );
  }
  if (isAtRest(known, sentAt) && status === 'pending' && !subscription.mayBeAccepted) {
    const isOpen = expires === null || sentAt < expires + PATIENCE;
    findings.expect(isOpen, 'an offer expires where nobody accepts it', about, 'expired', status);
  }
  if (status === 'past_due') judgePastDue(subscription, heard, known);
  subscription.shownAt = at;
  if (status !== subscription.shown.latest()) subscription.shown.learn(at, status);
}

function takeTimes(subscription: Subscription, record: Json, heard: Heard, known: Known): void {
  const { findings } = known;
  const about = `subscription ${subscription.id}`;
  for (const name of ['next_charge_at', 'expires_at']) {
    const value = record[name];
    const is = value === undefined || value === null || timeOf(value) !== null;
    findings.expect(
      is,
      'times of a subscription are timestamps or null',
      about,
      'a timestamp or null',
      value,
    );
  }
  const first = firstDue(subscription);
  const next = timeOf(record.next_charge_at);
  const interval = textOf(subscription.fields.interval);
  if (next === null || first === undefined || subscription.accepted === undefined || interval === '') return;
  const hasTrial = timeOf(subscription.fields.trial_until) !== null;
  // A trial that is over at the acceptance leaves open which of the two is the first.
  if (hasTrial && first.from <= subscription.accepted.to) return;
  findings.expect(
    isDueDate(next, first, interval),
    'next_charge_at is a due date',
    about,
    [first, interval],
    record.next_charge_at,
  );
  if (isAtRest(known, heard.exchange.sentAt) && record.status === 'active') {
    const is = next > heard.exchange.sentAt - PATIENCE;
    findings.expect(is, 'next_charge_at lies ahead', about, 'a later date', record.next_charge_at);
  }
}

/** Judges a subscription as it was created. */
export function judgeCreated(subscription: Subscription, record: Json, heard: Heard, known: Known): void {
  const { findings } = known;
  const about = `subscription ${subscription.id}`;
  const { body } = heard;
  const asset = known.asset(body.unique_asset_id);
  findings.expect(
    record.status === 'pending',
    'a new subscription is pending',
    about,
    'pending',
    record.status,
  );
  findings.expect(
    record.interval === body.interval,
    'a subscription is created as asked',
    about,
    body.interval,
    record.interval,
  );
  findings.expect(
    record.reference_id === body.reference_id,
    'a subscription is created as asked',
    about,
    body.reference_id,
    record.reference_id,
  );
  if (asset === undefined) return;
  const isAsset = record.unique_asset_id === asset.fact.uniqueAssetId;
  findings.expect(
    isAsset,
    'a subscription is created as asked',
    about,
    asset.fact.uniqueAssetId,
    record.unique_asset_id,
  );
  const { decimals } = asset.fact;
  const isAmount = units(record.amount, decimals) === units(body.amount, decimals);
  findings.expect(isAmount, 'a subscription is created as asked', about, body.amount, record.amount);
  const expires = timeOf(record.expires_at);
  const { from, to } = subscription.made;
  const set = timeOf(body.expires_at);
  const isDay = expires !== null && expires >= from + DAY - 2000 && expires <= to + DAY + 2000;
  const is = set === null ? isDay : expires === set;
  findings.expect(is, 'an offer stands for 24 hours unless set', about, set ?? to + DAY, record.expires_at);
}
