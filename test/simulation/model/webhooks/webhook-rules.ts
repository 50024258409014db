import type { DeliveryFact } from '../../facts/fact.js';
import {
  open,
  together,
  VALID,
  type Heard,
  type Rule,
  type Rules,
  type Verdict,
  refused,
} from '../exchange/heard.js';
import { unknownFields, pageOf, pageVerdict } from '../exchange/lists.js';
import type { Known } from '../known/known.js';
import { objectOf, timeOf, canonical, isUuid, textOf, type Json } from '../known/values.js';
import {
  takeWebhook,
  type Secrets,
  type Webhook,
  EVENT_TYPES,
  changeState,
  type WebhookState,
} from './webhook.js';
import { createHmac } from 'node:crypto';
import { pathAccountVerdict } from '../accounts/accounts.js';
import { isWaitAfter } from './attempts.js';

const SECRET = /^whsec_[A-Za-z0-9]{44}$/;
/** How long an attempt that was signed before a change may last. */
const UNDER_WAY = 15_000;
const LONGEST_OVERLAP_SECONDS = 604_800;

/** @returns whether a secret has signed that signs at that moment; null where nobody outside knows them all */
export function isSignedBy(webhook: Webhook, fact: DeliveryFact): boolean | null {
  const possible = possibleAt(webhook, fact);
  if (possible.some(({ signs }) => signs !== null && isSigned(fact, signs))) return true;
  return possible.some(({ signs }) => signs === null) ? null : false;
}

export function isSignedStandardBy(webhook: Webhook, fact: DeliveryFact): boolean {
  return possibleAt(webhook, fact)
    .filter(({ signs }) => signs !== null && isSigned(fact, signs))
    .some(({ signs, next }) =>
      [signs, next].every((secret) => typeof secret !== 'string' || isSignedStandard(fact, secret)),
    );
}

function possibleAt(webhook: Webhook, { at }: DeliveryFact): Secrets[] {
  return webhook.secrets.within(at - UNDER_WAY, at);
}

type OwnVerdict = (heard: Heard, known: Known) => Verdict;

/** Rotation: the previous secret signs on until the overlap ends, or the merchant ends it. */
export function secretRules(webhookVerdict: OwnVerdict): Rules {
  const rotate: Rule = {
    verdict: (heard, known) => together(webhookVerdict(heard, known), rotationVerdict(heard)),
    done: (heard, data, known, answer) => {
      const webhook = webhookOf(heard, known);
      if (webhook === undefined) return;
      // A repeated answer is of a rotation whose first answer was lost: when it happened is not known.
      if (answer.headers['idempotency-replayed'] === 'true') return loseSight(webhook, heard);
      const { secret, previous_secret_until: until, ...shown } = objectOf(data);
      if (!isSecret(secret)) {
        known.differ('the secret of a webhook', `webhook ${webhook.id}`, ['whsec_ and 44 letters', secret]);
        return;
      }
      takeWebhook(shown, heard, known, false);
      const { sentAt, at } = heard.exchange;
      const end = timeOf(until);
      if (end !== null) webhook.secrets.change({ signs: signsNow(webhook, heard), next: secret }, sentAt, at);
      webhook.secrets.change({ signs: secret }, end ?? sentAt, end ?? at);
    },
    unanswered: (heard, known) => {
      const webhook = webhookOf(heard, known);
      if (webhook !== undefined) loseSight(webhook, heard);
    },
  };
  const end: Rule = {
    verdict: (heard, known) => together(webhookVerdict(heard, known), open('state_conflict')),
    done: (heard, data, known) => {
      takeWebhook(data, heard, known, false);
      endOverlap(heard, known, heard.exchange.at);
    },
    unanswered: (heard, known) => endOverlap(heard, known, Infinity),
  };
  return { 'rotate webhook secret': rotate, 'end overlap of secrets': end };
}

/** The interface contract leaves open what a second rotation during an overlap answers. */
function rotationVerdict({ body }: Heard): Verdict {
  const seconds = body.overlap_seconds ?? 0;
  const isBounded =
    Number.isInteger(seconds) && Number(seconds) >= 0 && Number(seconds) <= LONGEST_OVERLAP_SECONDS;
  return together(
    unknownFields(body, ['overlap_seconds']),
    isBounded ? VALID : open('validation_failed'),
    open('state_conflict'),
  );
}

function endOverlap(heard: Heard, known: Known, until: number): void {
  const webhook = webhookOf(heard, known);
  const next = webhook?.secrets
    .within(heard.exchange.sentAt, heard.exchange.at)
    .find((each) => each.next !== undefined)?.next;
  if (webhook !== undefined && next !== undefined)
    webhook.secrets.change({ signs: next }, heard.exchange.sentAt, until);
}

function loseSight(webhook: Webhook, { exchange: { sentAt } }: Heard): void {
  webhook.secrets.change({ signs: null }, sentAt, Infinity);
}

/** @returns null where it is not certain */
function signsNow(webhook: Webhook, { exchange: { sentAt, at } }: Heard): string | null {
  const [first, ...others] = new Set(webhook.secrets.within(sentAt, at).map(({ signs }) => signs));
  return others.length === 0 ? (first ?? null) : null;
}

function webhookOf(heard: Heard, known: Known): Webhook | undefined {
  return known.webhooks.byId.get(heard.params.webhook!);
}

export function isSecret(secret: unknown): secret is string {
  return typeof secret === 'string' && SECRET.test(secret);
}

/** The signature as a receiver checks it: over the timestamp and the canonical JSON of the body. */
export function isSigned({ headers, body }: DeliveryFact, secret: string): boolean {
  let signed: string;
  try {
    signed = `${headers['x-request-timestamp']}.${canonical(JSON.parse(body))}`;
  } catch {
    return false;
  }
  return headers['x-request-signature'] === createHmac('sha256', secret).update(signed).digest('hex');
}

export function isSignedStandard({ headers, body }: DeliveryFact, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
}

const PRIVATE = /^(?:localhost|127\.|10\.|192\.168\.|169\.254\.|0\.|172\.(?:1[6-9]|2\d|3[01])\.|\[)/;

export function urlVerdict(url: unknown, known: Known): Verdict {
  if (typeof url !== 'string' || !URL.canParse(url)) return refused('url is no URL', 'validation_failed');
  const { protocol, hostname, username, password } = new URL(url);
  const isLoopback = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
    return refused('url is no HTTPS URL', 'validation_failed');
  }
  if (isLoopback) return open('validation_failed');
  if (username !== '' || password !== '') return refused('url has credentials', 'validation_failed');
  if (PRIVATE.test(hostname)) return refused('url is not public', 'validation_failed');
  return known.webhooks.hosts.has(hostname) ? VALID : open('validation_failed');
}

const SENT = ['processing', 'completed', 'underpaid', 'overpaid'];
const STATUSES = ['pending', 'delivered', 'failed'];

function takeEntry(data: unknown, heard: Heard, known: Known): void {
  const { webhooks } = known;
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
    !known.expect(isShaped, 'the fields of a log entry', about, [
      'id, delivery_id, webhook_id, status, attempt',
      data,
    ])
  )
    return;
  const webhook = webhooks.byId.get(textOf(record.webhook_id));
  const isOwn = webhook === undefined || webhook.accountId === heard.params.account;
  known.expect(isOwn, 'a log shows its own account alone', about, [heard.params.account, webhook?.accountId]);
  if (record.status === 'delivered') {
    known.equal('only HTTP 200 acknowledges', about, [200, record.http_status]);
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
    known.expect(isHeard, 'what a log calls delivered was acknowledged', about, ['a receiver’s 200', record]);
  }
  const isHis =
    request === undefined || request.accountId === '' || request.accountId === heard.params.account;
  known.expect(isHis, 'a log names requests of its own account', about, [
    heard.params.account,
    request?.accountId,
  ]);
}

function judgeWait(record: Json, webhook: Webhook | undefined, about: string, { findings }: Known): void {
  const [from, next] = [timeOf(record.created_at), timeOf(record.next_attempt_at)];
  if (record.status !== 'pending' || from === null || next === null) return;
  const attempt = Number(record.attempt);
  const wait = next - from - Number(record.duration_ms ?? 0);
  const mayBeAgain = webhook === undefined || webhook.wasEverInactive || attempt > 10;
  const failed = Array.from({ length: Math.min(attempt, 10) }, (_, before) => attempt - before);
  const is = (mayBeAgain ? failed : [attempt]).some((count) => isWaitAfter(count, wait));
  findings.expect(is, 'a log plans the next attempt by the schedule', about, [
    `after ${attempt} failed`,
    record,
  ]);
}

export function logRules(webhookVerdict: (heard: Heard, known: Known) => Verdict): Rules {
  const count = (heard: Heard, known: Known): void => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (webhook !== undefined) webhook.tests += 1;
  };
  return {
    'read webhook logs': {
      verdict: (heard, known) =>
        together(pathAccountVerdict(heard, known), pageVerdict(heard, 1, false), open()),
      done: (heard, data, known) => {
        for (const item of pageOf(data, heard, known)?.items ?? []) takeEntry(item, heard, known);
      },
    },
    'test webhook': {
      verdict: (heard, known) => together(webhookVerdict(heard, known), open('state_conflict')),
      done: (heard, data, known) => {
        count(heard, known);
        const record = objectOf(data);
        const about = `webhook ${heard.params.webhook}`;
        const is = record.webhook_id === heard.params.webhook && STATUSES.includes(textOf(record.status));
        known.expect(is, 'a test answers its log entry', about, ['an entry', data]);
        if (is) takeEntry(data, heard, known);
      },
      unanswered: count,
    },
  };
}

function webhookVerdict(heard: Heard, known: Known): Verdict {
  const account = pathAccountVerdict(heard, known);
  const webhook = known.webhooks.byId.get(heard.params.webhook ?? '');
  if (webhook === undefined) return together(account, open('not_found', 'validation_failed'));
  if (webhook.accountId !== heard.params.account) {
    return together(account, refused('the webhook is another account’s', 'not_found', 'account_not_allowed'));
  }
  if (webhook.isGone) return together(account, refused('the webhook is deleted', 'not_found'));
  return webhook.mayBeGone ? together(account, open('not_found')) : account;
}

const create: Rule = {
  verdict: (heard, known) => {
    const { body } = heard;
    const isType = EVENT_TYPES.includes(textOf(body.event_type));
    const isText = body.description === undefined || typeof body.description === 'string';
    return together(
      pathAccountVerdict(heard, known),
      unknownFields(body, ['url', 'event_type', 'description']),
      urlVerdict(body.url, known),
      isType ? VALID : refused('event_type is none of three', 'validation_failed'),
      isText ? VALID : refused('description is no text', 'validation_failed'),
      textOf(body.description).length > 100 ? open('validation_failed') : VALID,
    );
  },
  done: (heard, data, known, answer) => {
    const webhook = takeWebhook(data, heard, known, true);
    if (webhook === undefined) return;
    const about = `webhook ${webhook.id}`;
    if (answer.headers['idempotency-replayed'] !== 'true') {
      const { secret } = objectOf(data);
      const is = known.expect(isSecret(secret), 'the secret of a webhook', about, [
        'whsec_ and 44 letters',
        secret,
      ]);
      // A list may have shown the webhook before its creation was answered.
      if (is && webhook.secrets.latest()!.signs === null)
        webhook.secrets.change({ signs: textOf(secret) }, heard.exchange.sentAt, heard.exchange.at);
    }
    for (const name of ['url', 'event_type', 'description']) {
      known.equal('a webhook is created as asked', about, [heard.body[name], webhook.fields[name]]);
    }
    known.equal('a new webhook is active', about, [true, webhook.fields.active]);
  },
  unanswered: (heard, known) => known.unanswered.add('webhook', heard.params.account!, heard),
};

const list: Rule = {
  verdict: (heard, known) => together(pathAccountVerdict(heard, known), pageVerdict(heard, 1, false)),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    for (const item of page.items) takeWebhook(item, heard, known, false);
    const { sentAt } = heard.exchange;
    const mine = [...known.webhooks.byId.values()].filter(
      (webhook) =>
        webhook.accountId === heard.params.account && !webhook.isGone && webhook.steadySince < sentAt,
    );
    known.expect(
      page.total >= mine.length,
      'an account lists its webhooks',
      `account ${heard.params.account}`,
      [mine.length, page.total],
    );
  },
};

function changing(
  changeOf: (heard: Heard) => Partial<WebhookState>,
  own: (heard: Heard, known: Known) => Verdict,
): Rule {
  const change = (heard: Heard, known: Known, isCertain: boolean): void => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (webhook === undefined) return;
    const { sentAt, at } = heard.exchange;
    const state = changeOf(heard);
    changeState(webhook, state, sentAt, at, isCertain);
    if (state.url !== undefined) known.webhooks.name(webhook, state.url);
  };
  return {
    verdict: (heard, known) => together(webhookVerdict(heard, known), own(heard, known)),
    done: (heard, data, known) => {
      change(heard, known, true);
      takeWebhook(data, heard, known, false);
    },
    unanswered: (heard, known) => change(heard, known, false),
  };
}

const remove: Rule = {
  verdict: webhookVerdict,
  done: (heard, data, known) => {
    const id = heard.params.webhook!;
    known.expect(objectOf(data).id === id, 'a deletion answers the id', `webhook ${id}`, [id, data]);
    const webhook = known.webhooks.byId.get(id);
    if (webhook === undefined) return;
    changeState(webhook, { isActive: false }, heard.exchange.sentAt, heard.exchange.at, true);
    webhook.isGone = true;
  },
  unanswered: (heard, known) => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (webhook === undefined) return;
    webhook.mayBeGone = true;
    changeState(webhook, { isActive: false }, heard.exchange.sentAt, heard.exchange.at, false);
  },
  refused: (heard, code, known) => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (
      code === 'not_found' &&
      webhook?.steadySince === Infinity &&
      webhook.accountId === heard.params.account
    )
      webhook.isGone = true;
  },
};

export const webhookRules: Rules = {
  'create webhook': create,
  'list webhooks': list,
  'activate webhook': changing(
    () => ({ isActive: true }),
    () => VALID,
  ),
  'deactivate webhook': changing(
    () => ({ isActive: false }),
    () => VALID,
  ),
  'change webhook URL': changing(
    ({ body }) => ({ url: textOf(body.url) }),
    ({ body }, known) => together(unknownFields(body, ['url']), urlVerdict(body.url, known)),
  ),
  'delete webhook': remove,
  ...secretRules(webhookVerdict),
  ...logRules(webhookVerdict),
};
