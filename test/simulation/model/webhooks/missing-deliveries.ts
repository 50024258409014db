import type { Known } from '../known/known.js';
import { textOf, timeOf } from '../known/values.js';
import { isReversed, lookAt, transfersOf } from '../requests/outlook.js';
import { OUTCOMES, type PaymentRequest, type Status } from '../requests/payment-request.js';
import { chainOf, isOpen } from '../requests/status.js';
import { judgePayload } from './deliveries.js';
import type { Webhook } from './webhook.js';

/** How long an event may take to its first attempt. */
const PROMPTLY = 30_000;

/** At rest every status that must be sent was delivered to each webhook that was active, or its attempts go on. */
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
    known.findings.differ('every status that must be sent is sent', about, 'a delivery', 'none at rest');
  } else if (attempts.isOverdue(known.restedAt)) {
    known.findings.differ(
      'retries go on as the schedule says',
      about,
      'another attempt',
      attempts.toString(),
    );
  }
}

/** Statuses that the request certainly had and that are sent, with the first moments at which it can have had them. */
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
  const { webhooks, findings } = known;
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
    findings.expect(
      is,
      'deliveries are about requests, or tests',
      `webhook ${webhook.id}`,
      `${webhook.tests} tests`,
      ids,
    );
  }
}
