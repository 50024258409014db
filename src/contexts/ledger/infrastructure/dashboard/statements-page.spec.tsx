import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { MAX_CHOICES } from '#shared/kernel/page.js';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
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
const accounts = Array.from({ length: MAX_CHOICES }, (_, n) => ({
  id: newId<AccountId>(),
  name: `The shop in the street number ${n}`,
}));

function pageOf(language: 'en' | 'es' | 'pt', refusal?: { message: string; errors: [] }) {
  const items = accounts
    .slice(0, PAGE_SIZE)
    .map(({ id }) => ({ accountId: id, ...ASSET, ...AMOUNTS, closing: UNITS }));
  const list = { items: refusal === undefined ? items : [], page: 2, pageSize: PAGE_SIZE, total: 1_200 };
  const query = { month: '2030-01', account: accounts[0]!.id };
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const choices = { items: accounts, total: MAX_CHOICES };
  const page = statementsPage({ visitor: OWNER, query, accounts: choices, names, refusal, ...list });
  return htmlDocument(withLanguage(language, page));
}

describe('The page of statements', () => {
  it.each([
    ['en', '11–20 of 1,200', 'Statements for 2030-01'],
    ['es', '11–20 de 1\u202f200', 'Extractos de 2030-01'],
    ['pt', '11–20 de 1\u202f200', 'Extratos de 2030-01'],
  ] as const)(
    'shows ten statements in 30 kB and links to the others: language %s',
    (language, shown, title) => {
      const html = pageOf(language);

      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(30_000);
      expect(html).toContain(`<html lang="${language}"`);
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain(shown);
      expect(html).toContain(`month=2030-01&amp;account=${accounts[0]!.id}&amp;page=3`);
    },
  );
});
