import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import { ADDRESS_FORMATS, type AddressFormat } from './addresses/address-format.js';

export const BITCOIN = 'bitcoin';

/** A bitcoin has 100 million satoshis. */
export const NATIVE_DECIMALS = 8;

/** A chain of the family, by its parameters in chainparams.cpp of Bitcoin Core. */
export interface BitcoinChain {
  /** The configuration's `chain` names it so. */
  readonly name: string;
  /** The number that messages between its nodes begin with, which distinguishes it from the others. */
  readonly magic: number;
  readonly genesisHash: string;
  readonly format: AddressFormat;
  /** No block may be easier: the most that its hash may be. */
  readonly easiestTarget: bigint;
  /** Every 2,016 blocks they become at most four times as easy. Test chains let blocks be easy after twenty minutes. */
  readonly isNeverSuddenlyEasy: boolean;
}

const MAIN_TARGET = 0xffffn << 208n;

export const CHAINS: readonly BitcoinChain[] = [
  {
    name: 'main',
    magic: 0xd9b4bef9,
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    format: ADDRESS_FORMATS.mainnet,
    easiestTarget: MAIN_TARGET,
    isNeverSuddenlyEasy: true,
  },
  {
    name: 'testnet4',
    magic: 0x283f161c,
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    format: ADDRESS_FORMATS.testnet,
    easiestTarget: MAIN_TARGET,
    isNeverSuddenlyEasy: false,
  },
  {
    name: 'signet',
    magic: 0x40cf030a,
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    format: ADDRESS_FORMATS.testnet,
    easiestTarget: 0x377aen << 216n,
    isNeverSuddenlyEasy: false,
  },
  {
    name: 'regtest',
    magic: 0xdab5bffa,
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    format: ADDRESS_FORMATS.regtest,
    easiestTarget: 0x7fffffn << 232n,
    isNeverSuddenlyEasy: false,
  },
];

/** A network whose chain is one of Bitcoin's. */
export interface BitcoinNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof BITCOIN;
  /** Nodes are asked for their mempools after so many seconds at the earliest. */
  readonly mempoolPollSeconds: number;
}

export function isBitcoin(network: NetworkConfiguration): network is BitcoinNetworkConfiguration {
  return network.family === BITCOIN;
}

/** The chain that a network of this family is configured to have. */
export function chainOf({
  network,
  chainId,
}: Pick<NetworkConfiguration, 'network' | 'chainId'>): BitcoinChain {
  const chain = CHAINS.find(({ magic }) => magic === chainId);
  if (chain === undefined) throw new Error(`${network} is on no chain of the family ${BITCOIN}.`);
  return chain;
}
