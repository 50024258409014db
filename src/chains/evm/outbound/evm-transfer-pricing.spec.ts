import { describe, expect, it } from '@jest/globals';
import type { FeeMarket } from '#contexts/networks/domain/outbound/fees.js';
import type { ProvenEndpoints } from '../check/proven-endpoints.js';
import type { EndpointAccounts } from './endpoint-accounts.js';
import { EvmTransferPricing } from './evm-transfer-pricing.js';

const CEILING = 300n;

/** Returns the fee of a plain transfer of ETH at the gas price that an endpoint reports. */
async function feeAt(market: FeeMarket): Promise<bigint | undefined> {
  const configuration = { assets: [], chainId: 1, fees: { floor: 0n, ceiling: CEILING } };
  const endpoints = {
    configuration: () => configuration,
    first: (_: string, ask: (endpoint: object) => unknown) => ask({}),
  } as unknown as ProvenEndpoints;
  const accounts = { market: () => Promise.resolve(market) } as unknown as EndpointAccounts;
  return (await new EvmTransferPricing(endpoints, accounts).now('ethereum'))?.native;
}

describe('The price of a payer’s transfer', () => {
  it.each([
    [{ baseFee: 290n, suggested: 10n }, 300n * 21_000n],
    [{ baseFee: 290n, suggested: 11n }, undefined],
    [{ baseFee: null, suggested: 300n }, 300n * 21_000n],
    [{ baseFee: null, suggested: 10n ** 18n }, undefined],
  ])('is unknown above the most that the network’s configuration would pay: %p', async (market, fee) => {
    expect(await feeAt(market)).toBe(fee);
  });
});
