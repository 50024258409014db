import { describe, expect, it } from '@jest/globals';
import { FailRequestsOfRemovedAsset } from '#contexts/payments/application/requests/fail-requests-of-removed-asset.js';
import { PaymentRequests } from '#contexts/payments/domain/requests/payment-requests.js';
import { SingleCommand } from '../testing/lone-command.js';
import { failRemovedAssetRequestsCommand } from './asset-commands.js';

const USDC = 'nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

describe('The command "asset withdraw"', () => {
  it('fails the open payment requests of the asset, in any spelling of its id', async () => {
    const withdraw = new SingleCommand([failRemovedAssetRequestsCommand], 'asset withdraw', [
      [
        PaymentRequests,
        {
          countOpenByAsset: async () =>
            new Map([
              ['nbase_other', 1],
              [USDC, 2],
            ]),
        },
      ],
      [FailRequestsOfRemovedAsset, { fail: async (asset: string) => asset }],
    ]);
    const typed = { 'unique-asset-id': USDC.toLowerCase() };

    expect(await withdraw.preview(typed)).toBe(`2 open payment requests of ${USDC} will fail.`);
    expect(await withdraw.preview({ 'unique-asset-id': 'nbase_none' })).toBeUndefined();
    expect(await withdraw.run(typed)).toEqual({ failed: USDC });
  });
});
