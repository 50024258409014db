import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CHAIN_WATCHING_LOG_EVENTS } from '#contexts/chain-watching/infrastructure/log-events.js';
import { IDENTITY_LOG_EVENTS } from '#contexts/identity/infrastructure/log-events.js';
import { LEDGER_LOG_EVENTS } from '#contexts/ledger/infrastructure/log-events.js';
import { NETWORKS_LOG_EVENTS } from '#contexts/networks/infrastructure/log-events.js';
import { NOTIFICATIONS_LOG_EVENTS } from '#contexts/notifications/infrastructure/log-events.js';
import { PAYMENTS_LOG_EVENTS } from '#contexts/payments/infrastructure/log-events.js';
import { RATES_LOG_EVENTS } from '#contexts/rates/infrastructure/log-events.js';
import { SETTLEMENT_LOG_EVENTS } from '#contexts/settlement/infrastructure/log-events.js';
import { SUBSCRIPTIONS_LOG_EVENTS } from '#contexts/subscriptions/infrastructure/log-events.js';
import { WEBHOOKS_LOG_EVENTS } from '#contexts/webhooks/infrastructure/log-events.js';
import type { LogEvent } from '#shared/platform/logging/log-event.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';
import { expectList } from '../support/docs-table.js';

const PAGE = 'docs/reference/log-events.md';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/spec\.tsx?$/.test(file) && !file.startsWith('shared/platform/logging/'),
);
const sources = files.map((file) => [file, readFileSync(join('src', file), 'utf8')] as const);
const lists: Readonly<Record<string, LogEvent>>[] = [
  PLATFORM_LOG_EVENTS,
  CHAIN_WATCHING_LOG_EVENTS,
  IDENTITY_LOG_EVENTS,
  LEDGER_LOG_EVENTS,
  NETWORKS_LOG_EVENTS,
  NOTIFICATIONS_LOG_EVENTS,
  PAYMENTS_LOG_EVENTS,
  RATES_LOG_EVENTS,
  SETTLEMENT_LOG_EVENTS,
  SUBSCRIPTIONS_LOG_EVENTS,
  WEBHOOKS_LOG_EVENTS,
];
const events = lists.flatMap((list) => Object.entries(list));

describe('The list of log events', () => {
  it(`is complete in ${PAGE} (WRITE_DOCS=yes updates it)`, () => {
    const items = events.map(([name, { level, message, fields }]) => {
      const names = fields?.split(' ').map((field) => `\`${field}\``) ?? [];
      return `\`${name}\` (${level}): ${message}${names.length === 0 ? '' : ` Fields: ${names.join(', ')}.`}`;
    });

    expectList(PAGE, '## Events', items);
  });

  it('has the events of every context', () => {
    expect(lists).toHaveLength(1 + globSync('src/contexts/*/infrastructure/log-events.ts').length);
  });

  it('contains only events that are logged', () => {
    const code = sources.map(([, text]) => text).join('\n');
    const logged = (name: string) => code.includes(`'${name}'`) || name === 'http.request';

    expect(events.map(([name]) => name).filter((name) => !logged(name))).toEqual([]);
  });

  it('contains names and fields in snake case', () => {
    for (const [name, { fields = '' }] of events)
      expect(`${name} ${fields}`).toMatch(/^[a-z_]+\.[a-z_]+ [a-z_ ]*$/);
  });

  it('includes every line that the service logs', () => {
    const beside = sources.filter(
      ([file, text]) =>
        !file.startsWith('sandbox/') &&
        (/new Logger\(/.test(text) || /\blog(?:ger)?\.(?:log|warn|error|debug|verbose|fatal)\(/i.test(text)),
    );

    expect(beside.map(([file]) => file)).toEqual([]);
  });
});
