import { pageOf, pageVerdict } from '../accounts/lists.js';
import { pathAccountVerdict } from '../accounts/path-account.js';
import { open, together, type Heard, type Rule, type Verdict } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { isUuid, objectOf, textOf, timeOf, type Json } from '../known/values.js';
import { isWaitAfter } from './attempts.js';
import type { Webhook } from './webhook.js';

const SENT = ['processing', 'completed', 'underpaid', 'overpaid'];
const STATUSES = ['pending', 'delivered', 'failed'];

/** Judges one entry of a webhook's log: an attempt. */
function takeEntry(data: unknown, heard: Heard, known: Known): void {
  const { findings, webhooks } = known;
  const record = objectOf(data);
  const about = `delivery ${textOf(record.delivery_id)}`;
  const isShaped =
    isUuid(record.id) &&
    isUuid(record.delivery_id) &&
    isUuid(record.webhook_id) &&
    STATUSES.includes(textOf(record.status)) &&
    Number.isInteger(record.attempt) &&
    timeOf(record.created_at) !== null;
  if (
    !findings.expect(
      isShaped,
      'the fields of a log entry',
      about,
      'id, delivery_id, webhook_id, status, attempt',
      data,
    )
  )
    return;
  const webhook = webhooks.byId.get(textOf(record.webhook_id));
  const isOwn = webhook === undefined || webhook.accountId === heard.params.account;
  findings.expect(
    isOwn,
    'a log shows its own account alone',
    about,
    heard.params.account,
    webhook?.accountId,
  );
  if (record.status === 'delivered') {
    findings.expect(record.http_status === 200, 'only HTTP 200 acknowledges', about, 200, record.http_status);
  }
  judgeWait(record, webhook, about, known);
  const request = known.requests.get(textOf(record.payment_request_id));
  // Where nobody knows the secret, the attempt may have come before the webhook was heard of.
  const isFollowed = webhook?.eventType === 'payment_request' && webhook.secrets.latest()?.signs !== null;
  if (record.status === 'delivered' && request !== undefined && isFollowed) {
    const isHeard = SENT.some(
      (status) =>
        webhooks.attempts.get(`${webhook.id} ${request.id} ${status}`)?.acknowledgedAt !== undefined,
    );
    findings.expect(
      isHeard,
      'what a log calls delivered was acknowledged',
      about,
      'a receiver’s 200',
      record,
    );
  }
  const isHis =
    request === undefined || request.accountId === '' || request.accountId === heard.params.account;
  findings.expect(
    isHis,
    'a log names requests of its own account',
    about,
    heard.params.account,
    request?.accountId,
  );
}

/** A delivery that was queued again counts its attempts on, but waits as at first. */
function judgeWait(record: Json, webhook: Webhook | undefined, about: string, { findings }: Known): void {
  const [from, next] = [timeOf(record.created_at), timeOf(record.next_attempt_at)];
  if (record.status !== 'pending' || from === null || next === null) return;
  const attempt = Number(record.attempt);
  const wait = next - from - Number(record.duration_ms ?? 0);
  const mayBeAgain = webhook === undefined || webhook.wasEverInactive || attempt > 10;
  const failed = Array.from({ length: Math.min(attempt, 10) }, (_, before) => attempt - before);
  const is = (mayBeAgain ? failed : [attempt]).some((count) => isWaitAfter(count, wait));
  findings.expect(
    is,
    'a log plans the next attempt by the schedule',
    about,
    `after ${attempt} failed`,
    record,
  );
}

export function logRules(
  webhookVerdict: (heard: Heard, known: Known) => Verdict,
): readonly (readonly [string, Rule])[] {
  const count = (heard: Heard, known: Known): void => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (webhook !== undefined) webhook.tests += 1;
  };
  return [
    [
      'read webhook logs',
      {
        verdict: (heard, known) =>
          together(pathAccountVerdict(heard, known), pageVerdict(heard, 1, false), open()),
        done: (heard, data, known) => {
          for (const item of pageOf(data, heard, known)?.items ?? []) takeEntry(item, heard, known);
        },
      },
    ],
    [
      'test webhook',
      {
        verdict: (heard, known) => together(webhookVerdict(heard, known), open('state_conflict')),
        done: (heard, data, known) => {
          count(heard, known);
          const record = objectOf(data);
          const about = `webhook ${heard.params.webhook}`;
          const is = record.webhook_id === heard.params.webhook && STATUSES.includes(textOf(record.status));
          known.findings.expect(is, 'a test answers its log entry', about, 'an entry', data);
          if (is) takeEntry(data, heard, known);
        },
        unanswered: count,
      },
    ],
  ];
}
