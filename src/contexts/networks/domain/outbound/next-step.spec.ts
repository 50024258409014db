import { describe, expect, it } from '@jest/globals';
import { operatorNextStep } from './next-step.js';
import type { OutboundTransaction } from './outbound-transaction.js';

const sending: OutboundTransaction = {
  id: 'one',
  network: 'erc20',
  sender: '0xab',
  key: 'gas',
  nonce: 5,
  purpose: 'settlement',
  state: 'broadcast',
  attempts: 1,
  mined: null,
  response: 'node: accepted',
  feeCeiling: 100n,
  call: { to: '0xcd', data: '0x', value: 0n, gasLimit: 10n },
  createdAt: new Date(0),
};
const account = { latestCount: 5, mostCount: 5, balance: 1_000n, code: '0x' };
const offered = { maxFee: 10n, priorityFee: 1n };
const facts = { sending, offered, cancels: false, blockGas: 30_000_000n, isHeld: true, account };

describe('The next step of a sending', () => {
  it.each([
    ['that is in a pool', {}, 'in_a_pool', /Nothing to do/],
    ['that is mined', { sending: { ...sending, state: 'mined' as const } }, 'in_a_block', /final/],
    [
      'without its key',
      { isHeld: false, offered: null, sending: { ...sending, state: 'reserved' as const, response: null } },
      'key_missing',
      /Start a process with the key gas/,
    ],
    [
      'whose key may not send it',
      { offered: null, sending: { ...sending, state: 'reserved' as const, response: 'Nobody ordered it.' } },
      'not_as_ordered',
      /Nobody ordered it\..* sender cancel erc20 one$/,
    ],
    ['that only others can bump', { isHeld: false }, 'key_missing', /Only a process with the key gas/],
    ['whose nodes are silent', { account: null }, 'nodes_silent', /No endpoint of erc20 responds/],
    [
      'of an account with code',
      { account: { ...account, code: '0xef01001' } },
      'no_plain_account',
      /EIP-7702/,
    ],
    ['whose nonce is used', { account: { ...account, latestCount: 6 } }, 'nonce_used', /Nonce 5 is used/],
    [
      'behind a gap',
      { account: { ...account, latestCount: 3 } },
      'earlier_nonce',
      /Nonce 3 must be mined first/,
    ],
    [
      'that is cancelled by a key without coin for the call',
      { cancels: true, account: { ...account, balance: 99n } },
      'being_cancelled',
      /Nothing to do/,
    ],
    [
      'of a key that holds just enough, with all the gas of a block',
      { blockGas: 10n, account: { ...account, balance: 100n } },
      'in_a_pool',
      /Nothing to do/,
    ],
    ['of an empty key', { account: { ...account, balance: 99n } }, 'funds_missing', /It holds 99 wei/],
    [
      'that a node refused for lack of coin',
      { sending: { ...sending, response: 'node: insufficient funds for gas' } },
      'funds_missing',
      /Send native coin to 0xab/,
    ],
    [
      'at its ceiling',
      { offered: { maxFee: 95n, priorityFee: 1n } },
      'at_ceiling',
      /cheaper gas.* sender cancel erc20 one --fee-ceiling/,
    ],
    [
      'with more gas than a block holds',
      { blockGas: 9n },
      'above_block',
      /gas limit 10 exceeds the 9 that .* sender cancel erc20 one$/,
    ],
    [
      'with more gas than a transaction may have',
      { sending: { ...sending, call: { ...sending.call, gasLimit: 2n ** 24n + 1n } } },
      'above_block',
      /exceeds the 16777216 that nodes accept/,
    ],
    [
      'whose bytes every endpoint refuses',
      { sending: { ...sending, state: 'signed' as const, response: 'node: invalid opcode' } },
      'refused',
      /No endpoint accepts the transaction.* sender cancel erc20 one$/,
    ],
    ['that is being cancelled', { cancels: true, blockGas: 9n }, 'being_cancelled', /until it is mined/],
  ])('depends on the situation of the sending: one %s', (_, changes, situation, says) => {
    const next = operatorNextStep({ ...facts, ...changes });

    expect(next).toEqual({ situation, says: expect.stringMatching(says) });
  });
});
