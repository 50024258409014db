import { describe, expect, it } from '@jest/globals';
import { ShowSenders } from '#contexts/networks/application/outbound/show-senders.js';
import { ChainTypes } from '#contexts/networks/application/chain-types.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { Clock } from '#shared/kernel/clock.js';
import { SingleCommand } from '../testing/lone-command.js';
import { sendingKeyCommands } from './sender-commands.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const address = ADDRESS.toLowerCase();

describe('The command "sender status"', () => {
  it('shows each account with its newest attempt, and why it cannot send', async () => {
    const asked: unknown[] = [];
    const attempt = (hash: string, maxFee: bigint) => ({ hash, fees: { maxFee, priorityFee: null } });
    const unfinished = [
      {
        ...{ id: 's', createdAt: new Date(0), feeCeiling: 20_500_000_000n, nextStep: { situation: 'waits' } },
        stored: [attempt('0x1', 1_000_000_000n), attempt('0x2', 2_000_000_000n)],
      },
    ];
    const plain = { balance: 1_500_000_000_000_000_000n, latestCount: 4, code: '0x' };
    const view = { network: 'base', address, hold: null, unfinished: [] };
    const status = new SingleCommand(sendingKeyCommands, 'sender status', [
      [ChainTypes, { outboundNetworks: () => [{ network: 'base' }] }],
      [
        RefundFloats,
        {
          list: async () => [
            { network: 'base', organizationId: 'o', address: null },
            { network: 'base', organizationId: 'o', address },
          ],
        },
      ],
      [
        ShowSenders,
        {
          show: async (...of: unknown[]) => (
            asked.push(...of),
            [
              { ...view, account: plain, unfinished },
              { ...view, account: { ...plain, code: '0x60' } },
              { ...view, account: new ChainUnavailable('base', 'no answer') },
            ]
          ),
        },
      ],
      [Clock, { now: async () => new Date(61_999) }],
    ]);

    expect(await status.run({})).toMatchObject([
      {
        ...{ address: ADDRESS, balance: '1.5', transaction_count: 4, problem: null },
        unfinished: [
          {
            ...{ attempts: 2, age_seconds: 61, transaction_hash: '0x2', max_fee_gwei: '2' },
            ...{ priority_fee_gwei: null, fee_ceiling_gwei: '20.5', situation: 'waits' },
          },
        ],
      },
      { problem: expect.stringContaining('must be a plain account') },
      { balance: null, transaction_count: null, problem: 'base is unavailable: no answer' },
    ]);
    expect(asked).toEqual([['base'], [{ network: 'base', key: 'float:o', address }]]);
  });
});
