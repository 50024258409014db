import { describe, expect, it } from '@jest/globals';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';
import { SingleCommand } from '../testing/lone-command.js';
import { refundCommands } from './refund-commands.js';

describe('The command "refund-limits list"', () => {
  it('shows both limits of an account, and accounts without a limit', async () => {
    const limits = [
      { perDay: 1_000_000_000n, automaticBelow: 5_500_000n },
      { perDay: null, automaticBelow: 0n },
    ];
    const list = new SingleCommand(refundCommands, 'refund-limits list', [
      [RefundLimits, { list: async () => limits }],
      [NetworkCatalogue, { asset: () => ({ decimals: 6 }) }],
    ]);

    expect(await list.run({ organization: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f' })).toMatchObject([
      { per_day: '1000', automatic_below: '5.5' },
      { per_day: null, automatic_below: '0' },
    ]);
  });
});
