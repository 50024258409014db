import { describe, expect, it } from '@jest/globals';
import type { GasFeeMarket } from '#contexts/networks/domain/outbound/gas-fees.js';
import type { VerifiedEndpoints } from '../check/verified-endpoints.js';
import type { EndpointAccountQueries } from './endpoint-account-queries.js';
import { EvmTransferFeeEstimator } from './evm-transfer-fee-estimator.js';

const CEILING = 300n;

/** Returns the fees of transfers at the gas price that an endpoint reports. */
function feesAt(gasFeeMarket: GasFeeMarket) {
  const configuration = { assets: [], chainId: 1, fees: { floor: 0n, ceiling: CEILING } };
  const endpoints = {
    configuration: () => configuration,
    first: (_: string, ask: (endpoint: object) => unknown) => ask({}),
  } as unknown as VerifiedEndpoints;
  const accounts = { gasFeeMarket: () => Promise.resolve(gasFeeMarket) } as unknown as EndpointAccountQueries;
  return new EvmTransferFeeEstimator(endpoints, accounts).estimate('ethereum');
}

describe('The price of a payer’s transfer', () => {
  const fees = { coin: { symbol: 'ETH', decimals: 18 }, native: 300n * 21_000n, token: 300n * 65_000n };
  it.each([
    [{ baseFee: 290n, suggested: 10n }, fees],
    [{ baseFee: 290n, suggested: 11n }, null],
    [{ baseFee: null, suggested: 300n }, fees],
    [{ baseFee: null, suggested: 10n ** 18n }, null],
  ])('is unknown above the most that the network’s configuration would pay: %p', async (market, expected) => {
    expect(await feesAt(market)).toEqual(expected);
  });
});
