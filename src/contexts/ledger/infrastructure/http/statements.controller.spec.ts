import { describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { Principal } from '#shared/platform/http/callers/principal.js';
import type { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Statements } from '../persistence/statements.js';
import {
  MAX_CONCURRENT_DOWNLOADS,
  ConcurrentDownloads,
} from '#shared/platform/http/answers/concurrent-downloads.js';
import type { StatementsQuery } from './statement.dto.js';
import { StatementsController } from './statements.controller.js';

describe('The API of statements', () => {
  it(`limits the concurrent requests of a credential to ${MAX_CONCURRENT_DOWNLOADS}`, async () => {
    const { promise, resolve } = Promise.withResolvers<[]>();
    const controller = new StatementsController(
      { list: () => promise } as unknown as Statements,
      { narrowScopeIfGiven: async () => ({}) } as unknown as AccountDirectory,
      new ConcurrentDownloads(),
    );
    const page = () =>
      controller.list({ credentialId: 'credential' } as unknown as Principal, {
        ...({ month: '2026-01', page: 1, page_size: 5 } as unknown as StatementsQuery),
      });

    const pages = Array.from({ length: MAX_CONCURRENT_DOWNLOADS + 1 }, page);
    await expect(pages.pop()).rejects.toThrow(RateLimited);
    resolve([]);
    await Promise.all(pages);
    await page();
  });
});
