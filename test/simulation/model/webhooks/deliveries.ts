import type { DeliveryFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { arrivals } from '../ledger/deposits.js';
import { canonical, decimal, isObject, isUuid, textOf, type Json, timeOf, units } from '../known/values.js';
import { mayHaveHad, showStatus, chainOf, isOpen } from '../requests/status.js';
import { isEnded, RANK, type Status, OUTCOMES, type PaymentRequest } from '../requests/payment-request.js';
import { takeRefundEvent } from '../refunds/refund.js';
import { Attempts } from './attempts.js';
import { isSignedBy, isSignedStandardBy } from './webhook-rules.js';
import type { Webhook } from './webhook.js';
import { isReversed, lookAt, transfersOf } from '../requests/outlook.js';

const SENT: readonly string[] = ['processing', 'completed', 'underpaid', 'overpaid'];
const PAYMENT_KEYS = [
  'notification_type',
  'payment_request_id',
  'payment_request_type',
  'status',
  'point_of_sale_id',
];
const OPTIONAL_KEYS = ['external_reference_id', 'account_id'];
/** A receiver's clock and the service's may differ by so many seconds. */
const CLOCKS_APART = 5;
/** How long an attempt that began before a change may last. */
const UNDER_WAY = 15_000;

export function takeDelivery(fact: DeliveryFact, known: Known): void {
  const { findings, webhooks } = known;
  const candidates = [...(webhooks.byUrl.get(fact.url) ?? [])];
  // A webhook whose creation was not answered signs by a secret that nobody knows.
  const mayBeUnheardOf = known.unanswered.some(
    ({ kind, body }) => kind === 'webhook' && body.url === fact.url,
  );
  if (candidates.length === 0) {
    findings.expect(mayBeUnheardOf, 'deliveries go to registered URLs', `URL ${fact.url}`, [
      'a webhook',
      fact.body,
    ]);
    return;
  }
  const webhook =
    candidates.find((each) => isSignedBy(each, fact) === true) ??
    candidates.find((each) => isSignedBy(each, fact) === null);
  const about = `webhook ${(webhook ?? candidates[0]!).id}`;
  // An act on the webhook whose answer has not come yet may explain the delivery.
  if (webhook !== undefined) findings.context = { at: fact.at, keys: [fact.url, webhook.id] };
  judgeHeaders(fact, about, known);
  if (webhook === undefined) {
    findings.expect(mayBeUnheardOf, 'deliveries are signed by the secret', about, [
      'X-Request-Signature of the body',
      fact.headers['x-request-signature'],
    ]);
    return;
  }
  if (isSignedBy(webhook, fact) === true) {
    findings.expect(
      isSignedStandardBy(webhook, fact),
      'deliveries carry the Standard Webhooks signature',
      about,
      ['webhook-signature', fact.headers['webhook-signature']],
    );
  }
  const states = webhook.states.within(fact.at - UNDER_WAY, fact.at);
  const isActive = states.some(({ isActive: is, url }) => is && url === fact.url);
  findings.expect(isActive, 'deliveries go to active webhooks at their URL', about, [states, fact.url]);
  judgeBody(fact, webhook, about, known);
}

function judgeHeaders(fact: DeliveryFact, about: string, { findings }: Known): void {
  const type = fact.headers['content-type'] ?? '';
  findings.expect(/^application\/json\b/.test(type), 'the content type of a delivery', about, [
    'application/json',
    type,
  ]);
  const stamp = fact.headers['x-request-timestamp'] ?? '';
  const age = fact.at / 1000 - Number(stamp);
  const isFresh = /^\d+$/.test(stamp) && age > -CLOCKS_APART && age < 300;
  findings.expect(isFresh, 'each attempt has its own timestamp', about, [Math.floor(fact.at / 1000), stamp]);
}

function judgeBody(fact: DeliveryFact, webhook: Webhook, about: string, known: Known): void {
  let body: unknown;
  try {
    body = JSON.parse(fact.body);
  } catch {
    known.differ('the body of a delivery is JSON', about, ['JSON', fact.body]);
    return;
  }
  const isWhole = isObject(body) && Object.keys(body).length === 1 && isObject(body.data);
  if (
    !known.expect(isWhole, 'the body of a delivery is an object with data', about, ['{"data":…}', fact.body])
  )
    return;
  known.equal('the body sent is canonical JSON', about, [canonical(body), fact.body]);
  const data = (body as { data: Json }).data;
  const type = data.notification_type;
  if (type === 'refund_status_update' && webhook.eventType === 'refund') {
    takeRefundEvent(data, webhook, fact, known);
    return;
  }
  if (type === 'incoming_transfer_status_update' && webhook.eventType === 'incoming_transfer') {
    judgeIncomingTransfer(data, webhook, known);
    return;
  }
  // A test sends a payment's update to a webhook of any event type.
  const isTested =
    webhook.tests > 0 ||
    webhook.eventType === 'payment_request' ||
    known.requests.get(textOf(data.payment_request_id)) === undefined;
  const fits = type === 'payment_request_status_update' && isTested;
  if (!known.expect(fits, 'a webhook gets its own event type alone', about, [webhook.eventType, fact.body]))
    return;
  judgePayment(data, webhook, fact, known);
}

const INCOMING_TRANSFER_STATUSES: readonly string[] = ['processing', 'completed', 'reversed'];

/** A block of a `processing` transfer may be gone, and so may everything after a reversal. */
function judgeIncomingTransfer(data: Json, webhook: Webhook, known: Known): void {
  const request = known.requests.get(textOf(data.payment_request_id));
  const about = `transfer ${textOf(data.transfer_id)}`;
  const isStatus = INCOMING_TRANSFER_STATUSES.includes(textOf(data.status));
  known.expect(isStatus, 'statuses that trigger a delivery', about, [INCOMING_TRANSFER_STATUSES, data]);
  if (request === undefined) return;
  judgePayload(data, webhook, known);
  const asset = known.asset(data.unique_asset_id);
  const isJudged =
    data.status === 'completed' && data.gathered_transfers === undefined && !isReversed(request);
  if (asset === undefined || !isJudged) return;
  const amount = units(data.amount, asset.fact.decimals);
  const came = arrivals(request, asset);
  const fits = came.some((moved) => moved.amount === amount || moved.transfer.way === 'inner');
  known.expect(fits, 'an incoming transfer is reported with its amount', request.about, [
    came.map((moved) => decimal(moved.amount, asset.fact.decimals)),
    data.amount,
  ]);
}

function judgePayment(data: Json, webhook: Webhook, fact: DeliveryFact, known: Known): void {
  const { webhooks } = known;
  const id = textOf(data.payment_request_id);
  const about = `payment request ${id}`;
  const keys = Object.keys(data);
  const isExact =
    PAYMENT_KEYS.every((key) => keys.includes(key)) &&
    keys.every((key) => PAYMENT_KEYS.includes(key) || OPTIONAL_KEYS.includes(key)) &&
    isUuid(data.payment_request_id) &&
    isUuid(data.point_of_sale_id) &&
    data.payment_request_type === 'fixed';
  known.expect(isExact, 'the payload is exactly the contract’s', about, [PAYMENT_KEYS.join(', '), data]);
  known.expect(SENT.includes(textOf(data.status)), 'statuses that trigger a delivery', about, [
    SENT.join(', '),
    data.status,
  ]);
  const request = known.requests.get(id);
  // A request may be heard of later than the deliveries about it.
  const wrong = attempt(`${webhook.id} ${id} ${textOf(data.status)}`, webhook, fact, known);
  if (request === undefined) {
    if (webhooks.unexplained.every((each) => each.objectId !== id)) {
      webhooks.unexplained.push({ webhook, objectId: id, at: fact.at, data });
    }
    return;
  }
  if (!known.equal('a webhook gets its own event type alone', about, [webhook.eventType, 'payment_request']))
    return;
  judgePayload(data, webhook, known);
  const status = data.status as Status;
  if (wrong !== undefined)
    known.differ(wrong.rule, `webhook ${webhook.id}, payment request ${id}, ${status}`, [
      'no attempt yet',
      wrong.attempts.toString(),
    ]);
  const moment = { sentAt: fact.at, at: fact.at };
  if (!SENT.includes(status)) return;
  const had = mayHaveHad(request, status, moment, known);
  known.expect(had, 'a status is sent that the request had', about, [request.shown.latest(), status]);
  const latest = request.shown.latest();
  if (!isEnded(latest) && RANK[status] > RANK[latest]) showStatus(request, status, moment, known, 'webhook');
}

function attempt(
  key: string,
  webhook: Webhook,
  { at, answered }: DeliveryFact,
  { webhooks, isFaulty }: Known,
): { readonly rule: string; readonly attempts: Attempts } | undefined {
  const attempts = webhooks.attempts.get(key) ?? new Attempts();
  webhooks.attempts.set(key, attempts);
  if (at > webhook.endedAt + UNDER_WAY && attempts.hasWaitedSince(webhook.endedAt) && !webhook.mayReplay)
    return { rule: 'deactivating a webhook ends what waits', attempts };
  const rule = attempts.add(at, answered, isFaulty, webhook.wasEverInactive);
  return rule === undefined ? undefined : { rule, attempts };
}

export function judgePayload(data: Json, webhook: Webhook, known: Known): void {
  const request = known.requests.get(textOf(data.payment_request_id))!;
  const isHis = request.accountId === '' || request.accountId === webhook.accountId;
  known.expect(isHis, 'a webhook hears of its own account alone', request.about, [
    webhook.accountId,
    request.accountId,
  ]);
  const isAccount = data.account_id === undefined || data.account_id === webhook.accountId;
  known.expect(isAccount, 'the account_id of a payload', request.about, [webhook.accountId, data.account_id]);
  const isPos = request.posId === '' || request.posId === data.point_of_sale_id;
  known.expect(isPos, 'the point_of_sale_id of a payload', request.about, [
    request.posId,
    data.point_of_sale_id,
  ]);
  const isByMerchant = !request.isStrange && !known.makers.pointsOfSale.has(request.posId);
  const isReference = !isByMerchant || request.referenceId === data.external_reference_id;
  known.expect(isReference, 'the external_reference_id of a payload', request.about, [
    request.referenceId,
    data.external_reference_id,
  ]);
}

/** How long an event may take to its first attempt. */
const PROMPTLY = 30_000;

export function missingDeliveries(known: Known): void {
  const webhooks = [...known.webhooks.byId.values()].filter(
    ({ accountId, eventType, isGone, steadySince }) =>
      eventType === 'payment_request' &&
      !isGone &&
      steadySince < Infinity &&
      known.accounts.get(accountId)?.deleted === undefined,
  );
  const byAccount = new Map<string, Webhook[]>();
  for (const webhook of webhooks)
    byAccount.set(webhook.accountId, [...(byAccount.get(webhook.accountId) ?? []), webhook]);
  for (const request of known.requests.values()) {
    const all = byAccount.get(request.accountId);
    if (all === undefined) continue;
    for (const { status, at } of sent(request)) {
      for (const webhook of all) {
        if (at > webhook.steadySince && at + PROMPTLY < known.restedAt)
          missingOne(webhook, request, status, known);
      }
    }
  }
  explainRest(known);
}

function missingOne(webhook: Webhook, request: PaymentRequest, status: Status, known: Known): void {
  const attempts = known.webhooks.attempts.get(`${webhook.id} ${request.id} ${status}`);
  const about = `webhook ${webhook.id}, payment request ${request.id}, ${status}`;
  if (attempts === undefined) {
    known.differ('every status that must be sent is sent', about, ['a delivery', 'none at rest']);
  } else if (attempts.isOverdue(known.restedAt)) {
    known.differ('retries go on as the schedule says', about, ['another attempt', attempts.toString()]);
  }
}

function sent(request: PaymentRequest): { status: Status; at: number }[] {
  if (request.history.length > 0) {
    return request.history
      .filter(({ status }) => status === 'processing' || OUTCOMES.includes(status as Status))
      .map(({ status, at }) => ({ status: status as Status, at: timeOf(at) ?? -Infinity }));
  }
  const chain = chainOf(request);
  if (
    chain === undefined ||
    isOpen(request) ||
    chain.head < 0 ||
    isReversed(request) ||
    request.expiry.length !== 1
  )
    return [];
  const first = request.expiry[0]!;
  const looks = [lookAt(request, first.from, chain.head), lookAt(request, first.to, chain.head)];
  const found = new Set(looks.flatMap(({ statuses }) => statuses));
  const [status] = found;
  if (found.size !== 1 || status === undefined) return [];
  const blocks = request.selections.flatMap((selection) =>
    transfersOf(selection).map(({ block }) => block.at),
  );
  const at = Math.min(...blocks);
  if (status === 'processing') return [{ status, at }];
  if (!OUTCOMES.includes(status)) return [];
  return [
    { status: 'processing', at },
    { status, at },
  ];
}

/** Deliveries about objects that nobody had heard of: tests, or requests that were heard of later. */
function explainRest(known: Known): void {
  const { webhooks } = known;
  const left = new Map<Webhook, number>();
  for (const each of webhooks.unexplained.splice(0)) {
    if (known.requests.has(each.objectId)) {
      judgePayload(each.data, each.webhook, known);
      continue;
    }
    webhooks.unexplained.push(each);
    left.set(each.webhook, (left.get(each.webhook) ?? 0) + 1);
  }
  for (const [webhook, count] of left) {
    const isOpenWorld = known.mayHide({ accountId: webhook.accountId });
    const is = count <= webhook.tests || isOpenWorld;
    const ids = webhooks.unexplained
      .filter((each) => each.webhook === webhook)
      .map(({ data }) => textOf(data.payment_request_id));
    known.expect(is, 'deliveries are about requests, or tests', `webhook ${webhook.id}`, [
      `${webhook.tests} tests`,
      ids,
    ]);
  }
}
