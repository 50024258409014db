import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import { FIND_NON_PAYMENTS } from './non-payment-search.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly Plan[];
}

describe('The query of the search for things other than payments', () => {
  it('uses an index condition in each of its parts', async () => {
    const plan = await platform.database.run(async () => {
      // Disables full scans, because the planner would prefer them for the empty tables of this test.
      await platform.database.queryInTransaction('SET LOCAL enable_seqscan = off');
      const values = [newId(), newId(), 'text', 'text'];
      const [row] = await platform.database.queryInTransaction<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (FORMAT JSON) ${FIND_NON_PAYMENTS}`,
        values,
      );
      return row!['QUERY PLAN'][0].Plan;
    });

    const reads = nodesOf(plan).filter((node) => node['Relation Name'] !== undefined);
    expect(reads.length).toBeGreaterThan(12);
    expect(reads.filter((node) => !('Index Cond' in node) && !('Recheck Cond' in node))).toEqual([]);
  });
});

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
