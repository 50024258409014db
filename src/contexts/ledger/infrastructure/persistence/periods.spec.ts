import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { Periods } from './periods.js';
import type { Statements } from './statements.js';

describe('A closed month', () => {
  it('stays closed if its statements cannot be stored, and the error is logged', async () => {
    const lines: unknown[] = [];
    Logger.overrideLogger({ error: (line) => lines.push(line), log: () => undefined, warn: () => undefined });
    const error = new Error('Query read timeout');
    const slow = { query: () => Promise.reject(error) } as unknown as Database;

    await new Periods(slow, {} as Statements).storeStatements(newId<OrganizationId>());

    expect(lines).toEqual([expect.objectContaining({ err: error })]);
  });
});
