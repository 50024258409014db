import { describe, expect, it } from '@jest/globals';
import { formatAmount } from '#shared/kernel/amount.js';
import { amounts, expectAlways, lists } from '#test/support/properties.js';
import {
  amountToRefund,
  type AmountToRefundInput,
  assetToRefund,
  type ReceivedAsset,
  refuseOpenPaymentRequest,
} from './refund-amount-rule.js';

const assetOf = (symbol: string, token: string) => ({
  ...{ uniqueAssetId: `nsandbox_t${token}`, network: 'sandbox', token, symbol, decimals: 6 },
});
const USDT = assetOf('USDT', '0x5fbdb2315678afecb367f032d93f642f64180aa3');
const ETH = assetOf('ETH', 'ETH');
const received = (facts: Partial<ReceivedAsset> = {}): ReceivedAsset => ({
  ...{ asset: USDT, asked: 10n, paid: 10n, deposited: 0n },
  ...facts,
});

describe('The amount of a refund', () => {
  const amount = (input: Partial<AmountToRefundInput>) =>
    amountToRefund({
      ...{ status: 'completed', asset: USDT, asked: 10n, received: 10n, refunded: 0n, minimum: 2n },
      ...input,
    });

  it.each<[string, Partial<AmountToRefundInput>, bigint]>([
    ['the full amount received', { status: 'underpaid' }, 10n],
    ['the remainder after other refunds', { refunded: 4n }, 6n],
    ['the excess of an overpaid request', { status: 'overpaid', received: 15n }, 5n],
    ['the rest of that excess', { status: 'overpaid', received: 15n, refunded: 3n }, 2n],
    ['as requested, up to the remainder', { refunded: 4n, amount: '0.000006' }, 6n],
    ['as requested, from the minimum on', { amount: '0.000002' }, 2n],
    ['as requested of an overpaid request', { status: 'overpaid', amount: '0.00001' }, 10n],
  ])('is %s', (_, input, expected) => {
    expect(amount(input)).toBe(expected);
  });

  it('keeps the sum of refunds within what was received', () => {
    expectAlways([amounts(), lists(amounts())], (sum, asked) => {
      const refunded = asked.reduce((total, units) => {
        try {
          return total + amount({ received: sum, refunded: total, amount: formatAmount(units, 6) });
        } catch {
          return total;
        }
      }, 0n);
      const rest = sum - refunded;

      expect(refunded).toBeLessThanOrEqual(sum);
      if (rest >= 2n) expect(amount({ received: sum, refunded })).toBe(rest);
    });
  });

  it.each<[string, Partial<AmountToRefundInput>, string]>([
    ['above the remainder', { refunded: 4n, amount: '0.000007' }, 'must be at most 0.000006 USDT'],
    ['below the minimum', { amount: '0.000001' }, 'must be at least 0.000002 USDT'],
    ['a remainder below the minimum', { refunded: 9n }, 'must be at least 0.000002 USDT'],
    ['of too many decimals', { amount: '0.0000021' }, 'at most 6 decimals'],
    ['missing when only the price is left', { status: 'overpaid', refunded: 0n }, 'State how much'],
    ['of a request that is fully refunded', { refunded: 10n }, 'already been refunded'],
    ['of a request that has less than was refunded', { refunded: 11n }, 'already been refunded'],
  ])('rejects an amount %s', (_, input, message) => {
    expect(() => amount(input)).toThrow(message);
  });
});

describe('The asset of a refund', () => {
  const paid = received();
  const coin = received({ asset: ETH, asked: 0n, paid: 0n, deposited: 5n });
  const deposited = received({ paid: 0n, deposited: 1n });
  const nothing = received({ paid: 0n });

  it.each<[string, ReceivedAsset[], string | undefined, ReceivedAsset]>([
    ['the only one', [nothing, coin], undefined, coin],
    ['the one that was paid', [coin, paid], undefined, paid],
    ['the named one, in any spelling', [coin, paid], USDT.uniqueAssetId.replace('5fbdb', '5FBDB'), paid],
  ])('is %s', (_, all, named, expected) => {
    expect(assetToRefund(all, named)).toBe(expected);
  });

  it.each<[string, ReceivedAsset[], string | undefined, string]>([
    ['nothing was received', [nothing], undefined, 'there is nothing to refund'],
    ['several were deposited', [deposited, coin], undefined, 'because several assets were received'],
    [
      'none of the named one was received',
      [nothing, coin],
      USDT.uniqueAssetId,
      'that was received: nsandbox_tETH',
    ],
  ])('rejects the request if no single asset can be refunded: %s', (_, all, named, message) => {
    expect(() => assetToRefund(all, named)).toThrow(message);
  });
});

describe('A payment request to refund', () => {
  it.each(['pending', 'created', 'processing'] as const)(
    'rejects a refund while it is open: %s',
    (status) => {
      expect(() => refuseOpenPaymentRequest({ status })).toThrow(`The payment request is ${status}.`);
    },
  );

  it.each(['completed', 'underpaid', 'overpaid', 'expired', 'failed'] as const)(
    'accepts a refund once it has ended: %s',
    (status) => {
      expect(() => refuseOpenPaymentRequest({ status })).not.toThrow();
    },
  );
});
