import { describe, expect, it } from '@jest/globals';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { prepareMailForStorage } from '#contexts/identity/domain/people/outgoing-mail-rule.js';
import { NotificationLinks } from '../../application/notification-links.js';
import type { NotificationGroup } from '../../domain/notification.js';
import type { ReportTotal } from '../persistence/notification-reports.js';
import { digestMail } from './digest-mail.js';
import { buildReportMail } from './report-mail.js';

const HOSTILE = '<img src=x>\r\nBcc: eve@else.example\u202e';
const links = new NotificationLinks('https://pay.example', 'https://pay.example/app');
const anna = { email: 'anna@shop.example', token: 't'.repeat(44) };

const group = (facts: Partial<NotificationGroup> = {}): NotificationGroup => ({
  ruleId: 'r',
  kind: 'completed',
  state: 'completed',
  uniqueAssetId: 'nsandbox_t0x1',
  network: 'sandbox',
  currency: 'USDC',
  decimals: 6,
  events: 1_000,
  amount: 10_000_000_001n,
  examples: [{ at: '2026-11-26T01:00:00.000Z', id: 'p1', amount: '10', reference: HOSTILE }],
  ...facts,
});
const rule = { accountName: HOSTILE, organizationName: 'Shop & Co', timeZone: 'Asia/Tokyo' };

describe('A digest mail', () => {
  it('shows exact sums and local times, equally in text and HTML', () => {
    const { subject, body, html } = digestMail(
      { ...rule, accountName: 'Till', groups: [group()] },
      anna,
      links,
    );

    expect(subject).toBe('1,000 payments completed: 10000.000001 USDC · Till');
    for (const text of [body, html!]) {
      for (const shown of [
        '1,000 payments completed: 10000.000001 USDC',
        '2026-11-26 10:00',
        'Times in Asia/Tokyo.',
      ])
        expect(text).toContain(shown);
      expect(text).toContain('https://pay.example/app/payments/p1');
      expect(text).toContain(`https://pay.example/mail/${anna.token}`);
      expect(text).toContain('999 more events');
    }
  });

  it('renders text of merchants without adding headers, lines or markup', () => {
    const mail = prepareMailForStorage(digestMail({ ...rule, groups: [group()] }, anna, links));

    expect(mail.subject).toContain('<img src=x> Bcc: eve@else.example');
    expect(mail.html).not.toMatch(/<img|<script|src="?http/);
    expect(`${mail.html}${mail.body}`).not.toContain('\u202e');
    expect(mail.body).not.toMatch(/^Bcc:/m);
  });

  it('limits its length to the size that can be stored', () => {
    const examples = Array.from({ length: 10 }, (_, n) => ({
      at: '2026-11-26T01:00:00.000Z',
      id: String(n),
      amount: '1'.repeat(78),
      reference: '&'.repeat(128),
    }));
    const groups = Array.from({ length: 400 }, (_, n) => group({ uniqueAssetId: `n${n}`, examples }));

    const mail = prepareMailForStorage(digestMail({ ...rule, groups }, anna, links));

    expect(mail.body).toContain('And 340 more groups.');
  });

  it('shows no amounts for low refund floats and failing webhooks', () => {
    const groups = [
      group({ kind: 'low_float', state: '', events: 2 }),
      group({
        kind: 'failing_webhook',
        state: '',
        currency: null,
        decimals: null,
        uniqueAssetId: '',
        events: 1,
      }),
    ];

    const { subject } = digestMail({ ...rule, accountName: 'Till', groups }, anna, links);

    expect(subject).toBe('1 webhook failing, 2 more · Till');
  });
});

describe('A report mail', () => {
  const figure = (facts: Partial<ReportTotal>): ReportTotal => ({
    type: 'payment_in',
    uniqueAssetId: 'nsandbox_t0x1',
    network: 'sandbox',
    currency: 'USDC',
    decimals: 6,
    transactions: 3,
    gross: 2n ** 200n,
    net: 2n ** 200n - 1n,
    ...facts,
  });
  const due = {
    ...{ ruleId: 'r', period: 'month' as const, startsOn: '2026-10-01', timeZone: 'Europe/Lisbon' },
    ...{ organizationId: 'o' as OrganizationId, accountId: 'a' as AccountId },
    ...{ organizationName: 'Shop', accountName: 'Till' },
  } as const;

  it('shows exact amounts, attaches them as CSV, and links to the transactions', () => {
    const { subject, body, html, attachment } = buildReportMail(
      { ...due, figures: [figure({})] },
      anna,
      links,
    );

    expect(subject).toBe('Monthly report, 2026-10-01 to 2026-10-31 · Till');
    const csv =
      'https://pay.example/app/transactions.csv?account=a&from=2026-10-01&to=2026-10-31&zone=Europe%2FLisbon';
    expect(body).toContain(csv);
    expect(html).toContain(csv.replaceAll('&', '&amp;'));
    expect(attachment!.filename).toBe('report-month-2026-10-01.csv');
    const units = (2n ** 200n).toString();
    for (const text of [body, html!, attachment!.content]) {
      expect(text).toContain(`${units.slice(0, -6)}.${units.slice(-6)}`);
      expect(text).toContain('0.000001');
    }
  });

  it('escapes an account name that a spreadsheet would run as a formula', () => {
    const { attachment } = buildReportMail(
      { ...due, accountName: '=1+1', figures: [figure({})] },
      anna,
      links,
    );

    expect(attachment!.content.split('\r\n')[1]).toMatch(/^'=1\+1,2026-10-01,2026-10-31,/);
  });
});
