import { expect, it } from '@jest/globals';
import { ACCOUNT, ToldHistory } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

/** A request of 10 USDC that got 9.7 ends as underpaid, in an account that tolerates this. */
function wrongAfter(tolerance: object | undefined, fulfilled: boolean): string[] {
  const told = new ToldHistory();
  const account = {
    ...{ id: ACCOUNT, name: 'A', created_at: told.iso(), updated_at: told.iso() },
    underpayment_tolerance: tolerance,
  };
  if (tolerance !== undefined)
    told.call('PUT', `/v1/account/${ACCOUNT}`, { name: 'A', underpayment_tolerance: tolerance }, account);
  told.pass(5);
  const one = new ToldRequest(told);
  one.pay('9700000');
  told.pass(600);
  told.blocksOn(4);
  one.read('underpaid', { received_amount: '9.7', fulfilled });
  return told.found.map(({ rule }) => rule);
}

it.each([
  ['within both bounds', { basis_points: 300, at_most: '0.3' }, true],
  ['not accepted', undefined, false],
])('takes a shortfall that is %s', (_, tolerance, fulfilled) =>
  expect(wrongAfter(tolerance, fulfilled)).toEqual([]),
);

it.each([
  ['beyond the share', { basis_points: 299, at_most: '1000' }],
  ['beyond the amount', { basis_points: 500, at_most: '0.299999' }],
  ['nowhere tolerated', undefined],
])('finds that a shortfall is accepted that is %s', (_, tolerance) =>
  expect(wrongAfter(tolerance, true)).toEqual(['fulfilled']),
);
