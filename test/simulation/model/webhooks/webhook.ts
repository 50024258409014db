import type { ExchangeFact } from '../../facts/fact.js';
import { Timeline } from '../known/since.js';
import { type Json, isUuid, objectOf, textOf } from '../known/values.js';
import type { Attempts } from './attempts.js';
import type { Heard } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { isAtRest } from '../requests/status.js';

export interface WebhookState {
  readonly url: string;
  readonly isActive: boolean;
}

/** Null: the answer that held it was lost. */
export interface Secrets {
  readonly signs: string | null;
  readonly next?: string;
}

export interface Webhook {
  readonly id: string;
  readonly accountId: string;
  readonly eventType: string;
  readonly secrets: Timeline<Secrets>;
  readonly states: Timeline<WebhookState>;
  /** It is active with the same URL since then, certainly; Infinity where it is not certain. */
  steadySince: number;
  wasEverInactive: boolean;
  /** Attempts that were to follow by then do not follow: it was deactivated. */
  endedAt: number;
  mayReplay: boolean;
  isGone: boolean;
  mayBeGone: boolean;
  tests: number;
  fields: Json;
}

export interface Unexplained {
  readonly webhook: Webhook;
  readonly objectId: string;
  readonly at: number;
  readonly data: Json;
}

export class Webhooks {
  readonly byId = new Map<string, Webhook>();
  readonly byUrl = new Map<string, Set<Webhook>>();
  readonly attempts = new Map<string, Attempts>();
  readonly unexplained: Unexplained[] = [];
  readonly hosts = new Set<string>();

  add(webhook: Webhook, url: string): void {
    this.byId.set(webhook.id, webhook);
    this.name(webhook, url);
  }

  name(webhook: Webhook, url: string): void {
    const all = this.byUrl.get(url) ?? new Set();
    this.byUrl.set(url, all.add(webhook));
  }
}

export function newWebhook(
  known: Pick<Webhook, 'id' | 'accountId' | 'eventType' | 'fields'>,
  secret: string | null,
  state: WebhookState,
  from: number,
  until: number,
): Webhook {
  const states = new Timeline<WebhookState>();
  states.change(state, from, until);
  const secrets = new Timeline<Secrets>();
  secrets.change({ signs: secret }, from, until);
  return {
    ...known,
    states,
    secrets,
    steadySince: state.isActive ? until : Infinity,
    wasEverInactive: !state.isActive,
    endedAt: -Infinity,
    mayReplay: false,
    isGone: false,
    mayBeGone: false,
    tests: 0,
  };
}

/** A change that was answered is so since the end of its exchange; one that was not may be so or not. */
export function changeState(
  webhook: Webhook,
  change: Partial<WebhookState>,
  from: number,
  until: number,
  isCertain: boolean,
): void {
  const before = webhook.states.latest()!;
  const after = { ...before, ...change };
  if (!after.isActive) webhook.wasEverInactive = true;
  if (isCertain) {
    webhook.states.change(after, from, until);
    webhook.steadySince = after.isActive ? until : Infinity;
    if (!after.isActive) webhook.endedAt = from;
    return;
  }
  webhook.states.change(after, from, Infinity);
  webhook.states.change(before, from, Infinity);
  webhook.steadySince = Infinity;
}

export function noteReplay({ method, path }: ExchangeFact, { byId }: Webhooks): void {
  if (method === 'GET') return;
  for (const part of path.split('/')) {
    const webhook = byId.get(part);
    if (webhook !== undefined) webhook.mayReplay = true;
  }
}

export const EVENT_TYPES = ['payment_request', 'incoming_transfer', 'refund'];

export function takeWebhook(
  data: unknown,
  heard: Heard,
  known: Known,
  isCreated: boolean,
): Webhook | undefined {
  const { webhooks } = known;
  const record = objectOf(data);
  const about = `webhook ${textOf(record.id)}`;
  const isShaped =
    isUuid(record.id) &&
    typeof record.url === 'string' &&
    EVENT_TYPES.includes(textOf(record.event_type)) &&
    typeof record.active === 'boolean';
  if (!known.expect(isShaped, 'the fields of a webhook', about, ['id, url, event_type, active', data]))
    return undefined;
  known.equal('a webhook is shown on its own account', about, [heard.params.account, record.account_id]);
  if (!isCreated)
    known.expect(record.secret === undefined, 'a secret is shown once', about, ['no secret', 'a secret']);
  const state: WebhookState = { url: textOf(record.url), isActive: record.active === true };
  const webhook = webhooks.byId.get(textOf(record.id)) ?? found(record, state, heard, known, isCreated);
  const { sentAt, at } = heard.exchange;
  const states = webhook.states.within(sentAt, at);
  const fits = states.some((each) => each.url === state.url && each.isActive === state.isActive);
  if (
    !known.expect(fits && !(webhook.isGone && isAtRest(known, sentAt)), 'the state of a webhook', about, [
      webhook.isGone ? 'deleted' : states,
      state,
    ])
  ) {
    return webhook;
  }
  const isSettled = webhook.steadySince === Infinity && isAtRest(known, sentAt);
  if (isSettled) changeState(webhook, state, sentAt, at, true);
  for (const name of ['event_type', 'description', 'created_at', 'account_id']) {
    known.equal('a webhook stays as it was made', about, [webhook.fields[name], record[name]]);
  }
  return webhook;
}

function found(record: Json, state: WebhookState, heard: Heard, known: Known, isCreated: boolean): Webhook {
  const { sentAt, at } = heard.exchange;
  const accountId = heard.params.account!;
  const lost = isCreated
    ? undefined
    : known.unanswered.explain(
        textOf(record.id),
        ({ kind, parent, body }) =>
          kind === 'webhook' && parent === accountId && body.event_type === record.event_type,
      );
  known.expect(
    isCreated || lost !== undefined,
    'every webhook was created by somebody',
    `webhook ${textOf(record.id)}`,
    ['a creation', record],
  );
  const facts = {
    id: textOf(record.id),
    accountId,
    eventType: textOf(record.event_type),
    fields: record,
  };
  const secret = typeof record.secret === 'string' ? record.secret : null;
  const webhook = newWebhook(facts, secret, state, lost?.sentAt ?? sentAt, at);
  known.webhooks.add(webhook, state.url);
  known.webhooks.hosts.add(new URL(state.url).hostname);
  return webhook;
}
