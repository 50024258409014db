import { expect, it } from '@jest/globals';
import { xeroRecords } from './xero-csv.js';

it('Journals for Xero say of each batch that it was read, before there is a record', async () => {
  async function* batches() {
    yield* [[], [], []];
  }
  const answers: unknown[] = [];

  for await (const records of xeroRecords('2030-01', batches())) answers.push(records);

  expect(answers).toEqual([[], [], []]);
});
