import { describe, expect, it } from '@jest/globals';
import type { RequestExplanation } from './explanation-view.js';
import { findRecordedPayments } from './transaction-sentence.js';

describe('The recorded payments of a transaction', () => {
  it('excludes reversed transfers and those of other transactions', () => {
    const transfers = [
      { transactionHash: '0x1', reversedAt: undefined },
      { transactionHash: '0x1', reversedAt: new Date(0) },
      { transactionHash: '0x2', reversedAt: undefined },
    ];
    const of = { transfers } as unknown as RequestExplanation;

    expect(findRecordedPayments('0x1', [of])).toEqual([{ transfer: transfers[0], of }]);
  });
});
