import { describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { groupNotifications } from './notification.js';
import { parseRecipients, parseRuleTerms, type SubmittedRule } from './notification-rule.js';

const USDC = { uniqueAssetId: `nsandbox_t0x${'aB'.repeat(20)}`, decimals: 6 } as Asset;
const asked: SubmittedRule = {
  kinds: ['completed', 'low_float'],
  recipients: ['anna@shop.example'],
  everyMinutes: '60',
  timeZone: ' Europe/Lisbon ',
  floatAsset: USDC.uniqueAssetId.toLowerCase(),
  floatBelow: '50.5',
};

function fieldOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as DomainError).errors[0]!.field;
  }
}

describe('A notification rule', () => {
  it('is read from the fields of the form', () => {
    expect(parseRuleTerms(asked, [USDC])).toEqual({
      kinds: ['completed', 'low_float'],
      everyMinutes: 60,
      timeZone: 'Europe/Lisbon',
      lowFloat: { asset: USDC.uniqueAssetId, below: 50_500_000n },
    });
    const plain = { ...asked, kinds: ['refund'], timeZone: '', floatBelow: 'x' };
    expect(parseRuleTerms(plain, [])).toMatchObject({ timeZone: 'UTC', lowFloat: null });
  });

  it.each([
    ['kinds', { kinds: ['everything'] }],
    ['every_minutes', { everyMinutes: '1' }],
    ['time_zone', { timeZone: 'Mars/Olympus' }],
    ['float_asset', { floatAsset: 'nsandbox_t0x2' }],
    ['float_below', { floatBelow: '0.0000001' }],
    ['float_below', { floatBelow: '0' }],
  ])('is rejected if a field is invalid: field %s, value %j', (field, wrong) => {
    expect(fieldOf(() => parseRuleTerms({ ...asked, ...wrong }, [USDC]))).toBe(field);
  });
});

describe('The grouping of events by a rule', () => {
  const at = new Date(0);
  const rule = { id: 'r', organizationId: 'o', accountId: 'a', kinds: ['deposit'], createdAt: at };
  const event = (changes: object = {}) =>
    ({
      organizationId: 'o',
      accountId: 'a',
      kind: 'deposit',
      state: 'late',
      occurredAt: at,
      ...changes,
    }) as never;
  const grouped = (...events: never[]) => groupNotifications(events, [rule as never]);

  it('begins with an event at the creation of the rule, in its account', () => {
    expect(grouped(event())).toHaveLength(1);
    for (const other of [
      { occurredAt: new Date(-1) },
      { organizationId: 'x' },
      { accountId: 'x' },
      { kind: 'refund' },
    ])
      expect(grouped(event(other))).toEqual([]);
  });

  it('counts all events of a kind and a state, and shows the first ten', () => {
    const events = Array.from({ length: 12 }, (_, n) => event({ id: String(n) }));
    const [group, other] = grouped(...events, event({ state: 'other' }));

    expect([group!.events, other!.events]).toEqual([12, 1]);
    expect(group!.examples.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
  });
});

describe('The list of recipients of a notification rule', () => {
  it('has up to five addresses', () => {
    const most = Array.from({ length: 5 }, (_, n) => `${n}@shop.example`);

    expect(parseRecipients(most)).toEqual(most);
  });

  it('contains each address once', () => {
    expect(parseRecipients(['Anna@Bücher.example', 'anna@xn--bcher-kva.example ', 'b@c.example'])).toEqual([
      'anna@xn--bcher-kva.example',
      'b@c.example',
    ]);
  });

  it.each([
    [Array.from({ length: 6 }, (_, n) => `${n}@shop.example`)],
    [['anna@shop.example\r\nBcc: eve@else.example']],
    [['Anna <anna@shop.example>']],
  ])('is rejected if it has too many addresses, or text that is no address: case %#', (texts) => {
    expect(fieldOf(() => parseRecipients(texts))).toBe('recipients');
  });
});
