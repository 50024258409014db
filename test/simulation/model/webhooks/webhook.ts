import type { ExchangeFact } from '../../facts/fact.js';
import { Timeline } from '../known/since.js';
import type { Json } from '../known/values.js';
import type { Attempts } from './attempts.js';

export interface WebhookState {
  readonly url: string;
  readonly isActive: boolean;
}

/** Null: the answer that held it was lost. */
export interface Secrets {
  /** Signs by `X-Request-Signature`. */
  readonly signs: string | null;
  /** Signs by the header of Standard Webhooks too, while an overlap lasts. */
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
  /** Somebody asked to send something again. */
  mayReplay: boolean;
  isGone: boolean;
  /** A deletion of it was not answered. */
  mayBeGone: boolean;
  /** How often a test was asked for. */
  tests: number;
  fields: Json;
}

/** A delivery whose object is not known yet. */
export interface Unexplained {
  readonly webhook: Webhook;
  readonly objectId: string;
  readonly at: number;
  readonly data: Json;
}

/** Everything that is known of webhooks. */
export class Webhooks {
  readonly byId = new Map<string, Webhook>();
  /** Webhooks by each URL that they ever had. */
  readonly byUrl = new Map<string, Set<Webhook>>();
  /** Attempts by webhook, object and status. */
  readonly attempts = new Map<string, Attempts>();
  readonly unexplained: Unexplained[] = [];
  /** Hosts that were accepted once. */
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

/** A path that no rule knows may send something again where it names a webhook. */
export function noteReplay({ method, path }: ExchangeFact, { byId }: Webhooks): void {
  if (method === 'GET') return;
  for (const part of path.split('/')) {
    const webhook = byId.get(part);
    if (webhook !== undefined) webhook.mayReplay = true;
  }
}
