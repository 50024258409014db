import { describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { SendOutboundTransaction } from './send-outbound-transaction.js';

const keys = { requireKey: () => ({ address: '0x01' }) };
const senderOn = (chainId: () => number) =>
  new SendOutboundTransaction(
    ...([{}, { chainId }, keys, {}, {}] as never as ConstructorParameters<typeof SendOutboundTransaction>),
  );

describe('The sender of outbound transactions', () => {
  it('has an address only on networks where the service sends transactions', () => {
    const unavailable = () => {
      throw new ChainUnavailable('trc20', 'the service cannot send transactions on this network.');
    };

    expect(senderOn(() => 1).addressOf('erc20', 'gas')).toBe('0x01');
    expect(() => senderOn(unavailable).addressOf('trc20', 'gas')).toThrow(
      expect.objectContaining({ code: 'state_conflict' }),
    );
  });
});
