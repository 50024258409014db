import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, TestHistory, TestRequest } from '../test-history.js';

function wrongAfter(tolerance: object | undefined, fulfilled: boolean): string[] {
  const history = new TestHistory();
  const account = {
    ...{ id: ACCOUNT, name: 'A', created_at: history.iso(), updated_at: history.iso() },
    underpayment_tolerance: tolerance,
  };
  if (tolerance !== undefined)
    history.call('PUT', `/v1/account/${ACCOUNT}`, { name: 'A', underpayment_tolerance: tolerance }, account);
  history.pass(5);
  const one = new TestRequest(history);
  one.pay('9700000');
  history.pass(600);
  history.blocksOn(4);
  one.read('underpaid', { received_amount: '9.7', fulfilled });
  return history.found.map(({ rule }) => rule);
}

describe('The simulation’s model of underpayment tolerance', () => {
  it.each([
    ['within both bounds', { basis_points: 300, at_most: '0.3' }, true],
    ['not accepted', undefined, false],
  ])('accepts a tolerated shortfall: %s', (_, tolerance, fulfilled) =>
    expect(wrongAfter(tolerance, fulfilled)).toEqual([]),
  );

  it.each([
    ['beyond the share', { basis_points: 299, at_most: '1000' }],
    ['beyond the amount', { basis_points: 500, at_most: '0.299999' }],
    ['nowhere tolerated', undefined],
  ])('detects a shortfall that is wrongly tolerated: %s', (_, tolerance) =>
    expect(wrongAfter(tolerance, true)).toEqual(['fulfilled']),
  );
});
