import { describe, expect, it } from '@jest/globals';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CancelFloatWithdrawal } from '#contexts/settlement/application/refunds/floats/cancel-float-withdrawal.js';
import { ShowRefundFloats } from '#contexts/settlement/application/refunds/floats/show-refund-floats.js';
import { SingleCommand } from '../testing/lone-command.js';
import { floatCommands } from './float-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = { symbol: 'USDC', decimals: 6 };
const HOLDING = {
  ...{ toppedUp: 31_000_000n, refunded: 4_000_000n, withdrawn: 5_000_000n, gas: 1_000_000n },
  ...{ missing: 2_000_000n, reserved: 6_000_000n, available: 13_000_000n, balance: null, blockNumber: null },
};

const statusOf = (float: object) =>
  new SingleCommand(floatCommands, 'float status', [[ShowRefundFloats, { show: async () => [float] }]]).run(
    {},
  );

describe('The command "float status"', () => {
  it('shows the totals of each holding and the remaining allotment', async () => {
    const shown = await statusOf({
      float: { organizationId: OWNER, network: 'base', address: null, replacedAt: new Date(0) },
      basis: 'net',
      holdings: [
        { holding: '0xt', asset: USDC, ...HOLDING },
        { holding: '0xu', asset: undefined, ...HOLDING, balance: 13_000_000n, blockNumber: 7 },
      ],
      allotments: [{ accountId: 'a', asset: USDC, allotted: 12_500_000n, used: 4_000_000n }],
      payouts: [{ id: 'p', currency: 'USDC', amount: 1_500_000n, decimals: 6, to: TO.toLowerCase() }],
    });

    expect(shown).toMatchObject([
      {
        ...{ address: null, replaced_at: '1970-01-01T00:00:00.000Z' },
        refund_basis: 'net',
        payouts: [{ id: 'p', currency: 'USDC', amount: '1.5', to: TO }],
        allotments: [{ account_id: 'a', currency: 'USDC', allotted: '12.5', used: '4', left: '8.5' }],
        holdings: [
          {
            ...{ currency: 'USDC', topped_up: '31', refunded: '4', withdrawn: '5', gas: '1', missing: '2' },
            ...{ reserved: '6', available: '13', balance: null, block: null },
          },
          { currency: '0xu', topped_up: '31000000', available: '13000000', balance: '13000000', block: 7 },
        ],
      },
    ]);
  });
});

describe('The preview of a command for refund floats', () => {
  const preview = (words: string, values: Record<string, string>) =>
    new SingleCommand(floatCommands, words, [
      [NetworkCatalogue, { asset: (id: string) => (id === 'usdc' ? USDC : undefined) }],
      [
        CancelFloatWithdrawal,
        { find: async () => ({ organizationId: OWNER, amount: 12_500_000n, asset: USDC }) },
      ],
    ]).preview(values);
  const withdrawal = { organization: OWNER, network: 'base', 'unique-asset-id': 'usdc', amount: '250.00' };

  it('names the amount, the organization and the network', async () => {
    expect(await preview('float withdraw', withdrawal)).toBe(
      '250.00 USDC from the refund float of "Example Shops" on base will be paid to its settlement address.',
    );
    expect(await preview('float withdraw', { ...withdrawal, 'unique-asset-id': 'x' })).toContain('250.00 x ');
    expect(await preview('float cancel', { payout: OWNER })).toBe(
      'The withdrawal of 12.5 USDC from the refund float of "Example Shops" will be cancelled.',
    );
    expect(await preview('float replace', withdrawal)).toContain('"Example Shops" on base');
  });
});
