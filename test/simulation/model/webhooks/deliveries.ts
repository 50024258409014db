import type { DeliveryFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { canonical, isObject, isUuid, textOf, type Json } from '../known/values.js';
import { mayHaveHad, showStatus } from '../requests/status.js';
import { isEnded, RANK, type Status } from '../requests/payment-request.js';
import { takeRefundEvent } from '../refunds/refund-events.js';
import { Attempts } from './attempts.js';
import { isSignedBy, isSignedStandardBy } from './secrets.js';
import type { Webhook } from './webhook.js';

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

/** Judges what a receiver got. */
export function takeDelivery(fact: DeliveryFact, known: Known): void {
  const { findings, webhooks } = known;
  const candidates = [...(webhooks.byUrl.get(fact.url) ?? [])];
  // A webhook whose creation was not answered signs by a secret that nobody knows.
  const mayBeUnheardOf = known.unanswered.some(
    ({ kind, body }) => kind === 'webhook' && body.url === fact.url,
  );
  if (candidates.length === 0) {
    findings.expect(
      mayBeUnheardOf,
      'deliveries go to registered URLs',
      `URL ${fact.url}`,
      'a webhook',
      fact.body,
    );
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
    findings.expect(
      mayBeUnheardOf,
      'deliveries are signed by the secret',
      about,
      'X-Request-Signature of the body',
      fact.headers['x-request-signature'],
    );
    return;
  }
  if (isSignedBy(webhook, fact) === true) {
    findings.expect(
      isSignedStandardBy(webhook, fact),
      'deliveries carry the Standard Webhooks signature',
      about,
      'webhook-signature',
      fact.headers['webhook-signature'],
    );
  }
  const states = webhook.states.within(fact.at - UNDER_WAY, fact.at);
  const isActive = states.some(({ isActive: is, url }) => is && url === fact.url);
  findings.expect(isActive, 'deliveries go to active webhooks at their URL', about, states, fact.url);
  judgeBody(fact, webhook, about, known);
}

function judgeHeaders(fact: DeliveryFact, about: string, { findings }: Known): void {
  const type = fact.headers['content-type'] ?? '';
  findings.expect(
    /^application\/json\b/.test(type),
    'the content type of a delivery',
    about,
    'application/json',
    type,
  );
  const stamp = fact.headers['x-request-timestamp'] ?? '';
  const age = fact.at / 1000 - Number(stamp);
  const isFresh = /^\d+$/.test(stamp) && age > -CLOCKS_APART && age < 300;
  findings.expect(isFresh, 'each attempt has its own timestamp', about, Math.floor(fact.at / 1000), stamp);
}

function judgeBody(fact: DeliveryFact, webhook: Webhook, about: string, known: Known): void {
  const { findings } = known;
  let body: unknown;
  try {
    body = JSON.parse(fact.body);
  } catch {
    findings.differ('the body of a delivery is JSON', about, 'JSON', fact.body);
    return;
  }
  const isWhole = isObject(body) && Object.keys(body).length === 1 && isObject(body.data);
  if (
    !findings.expect(isWhole, 'the body of a delivery is an object with data', about, '{"data":…}', fact.body)
  )
    return;
  findings.expect(
    canonical(body) === fact.body,
    'the body sent is canonical JSON',
    about,
    canonical(body),
    fact.body,
  );
  const data = (body as { data: Json }).data;
  const type = data.notification_type;
  if (type === 'refund_status_update' && webhook.eventType === 'refund') {
    takeRefundEvent(data, webhook, fact, known);
    return;
  }
  // A test sends a payment's update to a webhook of any event type.
  const isTested =
    webhook.tests > 0 ||
    webhook.eventType === 'payment_request' ||
    known.requests.get(textOf(data.payment_request_id)) === undefined;
  const fits = type === 'payment_request_status_update' && isTested;
  if (!findings.expect(fits, 'a webhook gets its own event type alone', about, webhook.eventType, fact.body))
    return;
  judgePayment(data, webhook, fact, known);
}

function judgePayment(data: Json, webhook: Webhook, fact: DeliveryFact, known: Known): void {
  const { findings, webhooks } = known;
  const id = textOf(data.payment_request_id);
  const about = `payment request ${id}`;
  const keys = Object.keys(data);
  const isExact =
    PAYMENT_KEYS.every((key) => keys.includes(key)) &&
    keys.every((key) => PAYMENT_KEYS.includes(key) || OPTIONAL_KEYS.includes(key)) &&
    isUuid(data.payment_request_id) &&
    isUuid(data.point_of_sale_id) &&
    data.payment_request_type === 'fixed';
  findings.expect(isExact, 'the payload is exactly the contract’s', about, PAYMENT_KEYS.join(', '), data);
  findings.expect(
    SENT.includes(textOf(data.status)),
    'statuses that trigger a delivery',
    about,
    SENT.join(', '),
    data.status,
  );
  const request = known.requests.get(id);
  // A request may be heard of later than the deliveries about it.
  const wrong = attempt(`${webhook.id} ${id} ${textOf(data.status)}`, webhook, fact, known);
  if (request === undefined) {
    if (webhooks.unexplained.every((each) => each.objectId !== id)) {
      webhooks.unexplained.push({ webhook, objectId: id, at: fact.at, data });
    }
    return;
  }
  if (
    !findings.expect(
      webhook.eventType === 'payment_request',
      'a webhook gets its own event type alone',
      about,
      webhook.eventType,
      'payment_request',
    )
  )
    return;
  judgePayload(data, webhook, known);
  const status = data.status as Status;
  if (wrong !== undefined)
    findings.differ(
      wrong.rule,
      `webhook ${webhook.id}, payment request ${id}, ${status}`,
      'no attempt yet',
      wrong.attempts.toString(),
    );
  const moment = { sentAt: fact.at, at: fact.at };
  if (!SENT.includes(status)) return;
  const had = mayHaveHad(request, status, moment, known);
  findings.expect(had, 'a status is sent that the request had', about, request.shown.latest(), status);
  const latest = request.shown.latest();
  if (!isEnded(latest) && RANK[status] > RANK[latest]) showStatus(request, status, moment, known, 'webhook');
}

/** Notes one more attempt. @returns the rule that it breaks */
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

/** Judges what a payload says of a request that is known. */
export function judgePayload(data: Json, webhook: Webhook, known: Known): void {
  const { findings } = known;
  const request = known.requests.get(textOf(data.payment_request_id))!;
  const about = `payment request ${request.id}`;
  const isHis = request.accountId === '' || request.accountId === webhook.accountId;
  findings.expect(
    isHis,
    'a webhook hears of its own account alone',
    about,
    webhook.accountId,
    request.accountId,
  );
  const isAccount = data.account_id === undefined || data.account_id === webhook.accountId;
  findings.expect(isAccount, 'the account_id of a payload', about, webhook.accountId, data.account_id);
  const isPos = request.posId === '' || request.posId === data.point_of_sale_id;
  findings.expect(isPos, 'the point_of_sale_id of a payload', about, request.posId, data.point_of_sale_id);
  const isByMerchant = !request.isStrange && !known.makers.pointsOfSale.has(request.posId);
  const isReference = !isByMerchant || request.referenceId === data.external_reference_id;
  findings.expect(
    isReference,
    'the external_reference_id of a payload',
    about,
    request.referenceId,
    data.external_reference_id,
  );
}
