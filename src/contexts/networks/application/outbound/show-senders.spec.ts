import { describe, expect, it } from '@jest/globals';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import type { SenderHolds } from './sender-holds.js';
import type { SenderKeys } from './sender-keys.js';
import type { OutboundChain } from './outbound-chain.js';
import type { OutboundTransactions } from './outbound-transactions.js';
import { ShowSenders } from './show-senders.js';

const SENDER = `0x${'5e'.repeat(20)}`;
const UNFINISHED = { id: 'one', network: 'sandbox', key: 'gas', sender: SENDER } as OutboundTransaction;

describe('The list of senders', () => {
  it('reads one fact after another, so that every failure is awaited', async () => {
    const asked: string[] = [];
    const answers = (name: string, answer: unknown) => async () => {
      asked.push(name);
      await Promise.resolve();
      asked.push(`${name} answered`);
      return answer;
    };
    const senders = new ShowSenders(
      {
        unfinished: () => Promise.resolve([UNFINISHED]),
        attempts: () => (asked.push('attempts'), Promise.reject(new Error('The connection is lost.'))),
      } as unknown as OutboundTransactions,
      {
        senderAccountState: () => Promise.resolve({}),
        blockGasLimit: () => Promise.resolve(0n),
      } as unknown as OutboundChain,
      { addresses: () => [], keyFor: () => undefined } as unknown as SenderKeys,
      { accountsOnHold: () => [], holdAtCount: answers('hold', null) } as unknown as SenderHolds,
    );

    await expect(senders.show(['sandbox'])).rejects.toThrow('lost');

    expect(asked).toEqual(['hold', 'hold answered', 'attempts']);
  });
});
