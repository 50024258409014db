import { describe, expect, it } from '@jest/globals';
import { toWalletReference } from './wallet-reference.dto.js';

const ID = '0193b2f4-1c2d-7e3f-8a4b-5c6d7e8f9a0b';

describe('The wallet in a request', () => {
  it('is named by exactly one of two ids, of which the UUID may have upper case', () => {
    expect(toWalletReference({ wallet_id: ID.toUpperCase() })).toEqual({ id: ID });
    expect(toWalletReference({ wallet_external_id: 'W-1' })).toEqual({ externalId: 'W-1' });
    expect(() => toWalletReference({})).toThrow('neither was sent');
    expect(() => toWalletReference({ wallet_id: ID, wallet_external_id: 'W-1' })).toThrow('both were sent');
  });
});
