import type { DeliveryFact } from '../../facts/fact.js';
import { open, together, VALID, type Heard, type Rule, type Verdict } from '../exchange/heard.js';
import { unknownFields } from '../accounts/lists.js';
import type { Known } from '../known/known.js';
import { objectOf, timeOf } from '../known/values.js';
import { isSigned, isSignedStandard } from './signature.js';
import { takeWebhook } from './shown.js';
import type { Secrets, Webhook } from './webhook.js';

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

/** The Standard Webhooks header carries the secret of the other header, and during an overlap the next one too. */
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
export function secretRules(webhookVerdict: OwnVerdict): readonly (readonly [string, Rule])[] {
  const rotate: Rule = {
    verdict: (heard, known) => together(webhookVerdict(heard, known), rotationVerdict(heard)),
    done: (heard, data, known, answer) => {
      const webhook = webhookOf(heard, known);
      if (webhook === undefined) return;
      // A repeated answer is of a rotation whose first answer was lost: when it happened is not known.
      if (answer.headers['idempotency-replayed'] === 'true') return loseSight(webhook, heard);
      const { secret, previous_secret_until: until, ...shown } = objectOf(data);
      if (!isSecret(secret)) {
        known.findings.differ(
          'the secret of a webhook',
          `webhook ${webhook.id}`,
          'whsec_ and 44 letters',
          secret,
        );
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
  return [
    ['rotate webhook secret', rotate],
    ['end overlap of secrets', end],
  ];
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

/** Nobody outside knows from now on which secret signs. */
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
