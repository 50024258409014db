import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { MOST_CHOICES } from '#shared/kernel/choices.js';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PAGE_SIZE, statementsPage } from './statements-page.js';

const UNITS = 1_234_567_890_123_456_789_012_345n;
const AMOUNTS = {
  opening: UNITS,
  collected: UNITS,
  fees: UNITS,
  refunds: UNITS,
  settled: UNITS,
  other: UNITS,
};
const ASSET = { uniqueAssetId: `npolygon_t0x${'a'.repeat(40)}`, currency: 'USDC', decimals: 18 };
const accounts = Array.from({ length: MOST_CHOICES }, (_, n) => ({
  id: newId<AccountId>(),
  name: `The shop in the street number ${n}`,
}));

function pageOf(refusal?: { message: string; errors: [] }) {
  const items = accounts
    .slice(0, PAGE_SIZE)
    .map(({ id }) => ({ accountId: id, ...ASSET, ...AMOUNTS, closing: UNITS }));
  const list = { items: refusal === undefined ? items : [], page: 2, pageSize: PAGE_SIZE, total: 1_200 };
  const query = { month: '2030-01', account: accounts[0]!.id };
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const choices = { items: accounts, total: MOST_CHOICES };
  return htmlDocument(statementsPage({ visitor: OWNER, query, accounts: choices, names, refusal, ...list }));
}

describe('The page of statements', () => {
  it('has fifteen of any number in 30 kB, and leads to the others with its filters', () => {
    const html = pageOf();

    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(30_000);
    expect(html).toContain('16–30 of 1,200');
    expect(html).toContain(`month=2030-01&amp;account=${accounts[0]!.id}&amp;page=3`);
  });

  it('does not say that nothing was booked where the month cannot be read', () => {
    expect(pageOf({ message: '', errors: [] })).not.toContain('Nothing was booked');
  });
});
