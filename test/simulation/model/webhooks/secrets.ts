import type { DeliveryFact } from '../../facts/fact.js';
import { open, together, VALID, type Heard, type Rule, type Rules, type Verdict } from '../exchange/heard.js';
import { unknownFields } from '../exchange/lists.js';
import type { Known } from '../known/known.js';
import { objectOf, timeOf, canonical } from '../known/values.js';
import { takeWebhook, type Secrets, type Webhook } from './webhook.js';
import { createHmac } from 'node:crypto';

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
