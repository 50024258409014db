import { describe, expect, it } from '@jest/globals';
import { OUTPUT_COIN } from '../../testing/output-chain-type.js';
import { presentAsset } from './asset.dto.js';

describe('An asset that callers see', () => {
  const view = { ...OUTPUT_COIN, networkName: 'Output', requiredConfirmations: 6 };

  it('says how many confirmations an amount needs, in whole units', () => {
    expect(presentAsset(view).confirmations_by_amount).toEqual([
      { up_to: '0.00001', confirmations: 1 },
      { up_to: '0.0001', confirmations: 3 },
      { confirmations: 6 },
    ]);
  });
});
