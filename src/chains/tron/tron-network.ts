import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { ZERO_ADDRESS } from '../forwarders/evm-address.js';
import { tronAddress } from './addresses/tron-address.js';
import { NEWEST_HEADER_CALL } from '../ethereum-rpc/block-answers.js';
import type { ChainTypeEndpointSettings } from '../rpc/endpoint-pool.js';

export const TRON = 'tron';

export const TRX = { symbol: 'TRX', decimals: 6 } as const;

/** Main network, Nile and Shasta: the last four bytes of their genesis blocks. */
export const TRON_CHAIN_IDS: readonly number[] = [728_126_428, 3_448_148_188, 2_494_104_990];

/** An endpoint's URL is followed by `/jsonrpc`, `/wallet` or `/walletsolidity`. The header is that of TronGrid. */
export const TRON_ENDPOINT_SETTINGS: ChainTypeEndpointSettings = {
  family: TRON,
  newest: NEWEST_HEADER_CALL,
  jsonRpcPath: '/jsonrpc',
  keyHeader: 'TRON-PRO-API-KEY',
};

/** The zero address, until the factory is deployed: its address depends on the transaction that creates it. */
export const MISSING_FACTORY = tronAddress(ZERO_ADDRESS);

export interface TronNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof TRON;
  readonly factory: string;
  /** First byte that CREATE2 hashes: 0x41 on TRON, 0xff on an EVM behind TRON's API. */
  readonly create2Prefix: number;
  /** Greatest price of energy to pay, in sun. */
  readonly mostEnergyPrice: bigint;
  /** Greatest `fee_limit` of a transaction, in sun. */
  readonly mostFeeLimit: bigint;
}

export function isTron(network: NetworkConfiguration): network is TronNetworkConfiguration {
  return network.family === TRON;
}
