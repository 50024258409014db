import type { ExchangeFact } from '../../facts/fact.js';
import { canonical, isObject, sameJson } from '../known/values.js';
import type { Heard } from './heard.js';

export const KEY_KEPT_MS = 24 * 3_600_000;
/** Names of what a stored answer leaves out, since it is shown once. */
const SECRET = /secret|claim/;

interface Use {
  readonly request: string;
  readonly sentAt: number;
  readonly at: number;
  /** The data that was answered; undefined where nobody was told. */
  readonly data: { readonly value: unknown } | undefined;
}

export type Repeat =
  | { readonly kind: 'first' }
  /** Used before, but nobody knows whether it was carried out, or whether it is kept still. */
  | { readonly kind: 'maybe'; readonly data?: unknown; readonly isReused: boolean }
  /** `isAtOnce`: the first was still being answered when it was sent. */
  | { readonly kind: 'replay'; readonly data: unknown; readonly isAtOnce: boolean }
  | { readonly kind: 'reused' };

export class Idempotency {
  private readonly uses = new Map<string, Use[]>();

  judge(heard: Heard): Repeat {
    const { exchange } = heard;
    const key = scopeOf(exchange);
    const uses = key === undefined ? [] : (this.uses.get(key) ?? []);
    if (uses.length === 0) return { kind: 'first' };
    const text = request(heard);
    const kept = uses.filter(({ sentAt }) => sentAt + KEY_KEPT_MS > exchange.sentAt - 60_000);
    if (kept.length === 0) return { kind: 'maybe', isReused: uses.some((use) => use.request !== text) };
    const answered = kept.filter((use) => use.data !== undefined);
    const last = answered[answered.length - 1];
    const isSure = last !== undefined && last.sentAt + KEY_KEPT_MS > exchange.at + 60_000;
    if (!isSure) {
      const isReused = kept.some((use) => use.request !== text);
      return { kind: 'maybe', isReused, ...(last === undefined ? {} : { data: last.data!.value }) };
    }
    if (last.request === text)
      return { kind: 'replay', data: last.data!.value, isAtOnce: last.at >= exchange.sentAt };
    // Whether a key of another path is another key is not stated.
    const isSamePath = last.request.startsWith(`${exchange.method} ${exchange.path} `);
    return isSamePath ? { kind: 'reused' } : { kind: 'maybe', isReused: true };
  }

  learn(heard: Heard, data: { readonly value: unknown } | undefined): void {
    const { exchange } = heard;
    const key = scopeOf(exchange);
    if (key === undefined) return;
    const use = { request: request(heard), sentAt: exchange.sentAt, at: exchange.at, data };
    this.uses.set(key, [...(this.uses.get(key) ?? []), use]);
  }
}

/** A key with the credential to which it belongs; undefined where none was sent. */
export function scopeOf({ keyId, idempotencyKey }: ExchangeFact): string | undefined {
  return idempotencyKey === undefined ? undefined : `${keyId} ${idempotencyKey}`;
}

function request({ exchange }: Heard): string {
  return `${exchange.method} ${exchange.path} ${canonical(exchange.body ?? null)}`;
}

export function isReplayOf(replayed: unknown, first: unknown): boolean {
  return sameJson(bare(replayed), bare(first));
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SECRET.test(name))
      .map(([name, field]) => [name, bare(field)]),
  );
}
