import type { Heard } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { isUuid, objectOf, textOf, type Json } from '../known/values.js';
import { isAtRest } from '../requests/status.js';
import { changeState, newWebhook, type Webhook, type WebhookState } from './webhook.js';

export const EVENT_TYPES = ['payment_request', 'incoming_transfer', 'refund'];

/** Judges a webhook as it was shown, and learns from it. */
export function takeWebhook(
  data: unknown,
  heard: Heard,
  known: Known,
  isCreated: boolean,
): Webhook | undefined {
  const { findings, webhooks } = known;
  const record = objectOf(data);
  const about = `webhook ${textOf(record.id)}`;
  const isShaped =
    isUuid(record.id) &&
    typeof record.url === 'string' &&
    EVENT_TYPES.includes(textOf(record.event_type)) &&
    typeof record.active === 'boolean';
  if (!findings.expect(isShaped, 'the fields of a webhook', about, 'id, url, event_type, active', data))
    return undefined;
  const isOwn = record.account_id === heard.params.account;
  findings.expect(
    isOwn,
    'a webhook is shown on its own account',
    about,
    heard.params.account,
    record.account_id,
  );
  if (!isCreated)
    findings.expect(record.secret === undefined, 'a secret is shown once', about, 'no secret', 'a secret');
  const state: WebhookState = { url: textOf(record.url), isActive: record.active === true };
  const webhook = webhooks.byId.get(textOf(record.id)) ?? found(record, state, heard, known, isCreated);
  const { sentAt, at } = heard.exchange;
  const states = webhook.states.within(sentAt, at);
  const fits = states.some((each) => each.url === state.url && each.isActive === state.isActive);
  if (
    !findings.expect(
      fits && !(webhook.isGone && isAtRest(known, sentAt)),
      'the state of a webhook',
      about,
      webhook.isGone ? 'deleted' : states,
      state,
    )
  ) {
    return webhook;
  }
  const isSettled = webhook.steadySince === Infinity && isAtRest(known, sentAt);
  if (isSettled) changeState(webhook, state, sentAt, at, true);
  for (const name of ['event_type', 'description', 'created_at', 'account_id']) {
    const is = record[name] === webhook.fields[name];
    findings.expect(is, 'a webhook stays as it was made', about, webhook.fields[name], record[name]);
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
  known.findings.expect(
    isCreated || lost !== undefined,
    'every webhook was created by somebody',
    `webhook ${textOf(record.id)}`,
    'a creation',
    record,
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
