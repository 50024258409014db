import { describe, expect, it } from '@jest/globals';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { RefundQueries } from '#contexts/settlement/infrastructure/refunds/persistence/refund-queries.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';
import { SingleCommand } from '../testing/lone-command.js';
import { refundCommands } from './refund-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

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

    expect(await list.run({ organization: OWNER })).toMatchObject([
      { per_day: '1000', automatic_below: '5.5' },
      { per_day: null, automatic_below: '0' },
    ]);
  });
});

describe('The command "refund cancel"', () => {
  it('names and cancels a refund of the organization', async () => {
    const found = async ({ accountId }: { accountId: null }, id: string) => ({
      ...{ id, accountId, amount: 12_500_000n, asset: { symbol: 'USDC', decimals: 6 } },
      ...{ status: 'cancelled', failure: 'cancelled' },
    });
    const cancel = new SingleCommand(refundCommands, 'refund cancel', [
      [RefundQueries, { find: found }],
      [CancelRefund, { cancel: found }],
    ]);
    const refund = OWNER.replace(/8f$/, '90');

    expect(await cancel.preview({ organization: OWNER, refund })).toBe(
      'The refund of 12.5 USDC by "Example Shops" will be cancelled.',
    );
    expect(await cancel.run({ organization: OWNER, refund })).toEqual({
      ...{ id: refund, status: 'cancelled', failure: 'cancelled' },
    });
  });
});
