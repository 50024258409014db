import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { ADDRESS_FORMATS, type AddressFormat } from './addresses/address-format.js';

export const BITCOIN = 'bitcoin';

export const NATIVE_DECIMALS = 8;

interface Checkpoint {
  readonly height: number;
  readonly hash: string;
}

export interface BitcoinChain {
  readonly name: string;
  /** The number at the start of messages between the chain's nodes, which distinguishes it from other chains. */
  readonly magic: number;
  readonly genesisHash: string;
  readonly format: AddressFormat;
  /** The highest block hash that the chain accepts at its lowest difficulty. */
  readonly easiestTarget: bigint;
  /** An endpoint with a lower head is still syncing. */
  readonly checkpoints: readonly Checkpoint[];
  readonly easiestSinceCheckpoint?: bigint;
  /** True if blocks become at most four times easier every 2,016 blocks. */
  readonly isNeverSuddenlyEasy: boolean;
}

const MAIN_CHAIN_EASIEST_TARGET = 0xffffn << 208n;

/** The blocks of `m_assumeutxo_data` in chainparams.cpp of Bitcoin Core. */
const MAIN_CHECKPOINTS: readonly Checkpoint[] = [
  { height: 840_000, hash: '0000000000000000000320283a032748cef8227873ff4872689bf23f1cda83a5' },
  { height: 880_000, hash: '000000000000000000010b17283c3c400507969a9c2afd1dcf2082ec5cca2880' },
  { height: 910_000, hash: '0000000000000000000108970acb9522ffd516eae17acddcb1bd16469194a821' },
  { height: 935_000, hash: '0000000000000000000147034958af1652b2b91bba607beacc5e72a56f0fb5ee' },
];
/** The target of block 840,000, whose bits are 0x17034219. */
const TARGET_OF_FIRST_CHECKPOINT = 0x034219n << 160n;
/**
 * The network once lost half of its mining power. Blocks easier than this wait for a release with newer checkpoints.
 */
const MAX_TARGET_INCREASE = 16n;

export const BITCOIN_CHAINS: readonly BitcoinChain[] = [
  {
    name: 'main',
    magic: 0xd9b4bef9,
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    format: ADDRESS_FORMATS.mainnet,
    easiestTarget: MAIN_CHAIN_EASIEST_TARGET,
    checkpoints: MAIN_CHECKPOINTS,
    easiestSinceCheckpoint: TARGET_OF_FIRST_CHECKPOINT * MAX_TARGET_INCREASE,
    isNeverSuddenlyEasy: true,
  },
  {
    name: 'testnet4',
    magic: 0x283f161c,
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    format: ADDRESS_FORMATS.testnet,
    easiestTarget: MAIN_CHAIN_EASIEST_TARGET,
    checkpoints: [],
    isNeverSuddenlyEasy: false,
  },
  {
    name: 'signet',
    magic: 0x40cf030a,
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    format: ADDRESS_FORMATS.testnet,
    easiestTarget: 0x377aen << 216n,
    checkpoints: [],
    isNeverSuddenlyEasy: false,
  },
  {
    name: 'regtest',
    magic: 0xdab5bffa,
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    format: ADDRESS_FORMATS.regtest,
    easiestTarget: 0x7fffffn << 232n,
    checkpoints: [],
    isNeverSuddenlyEasy: false,
  },
];

export interface BitcoinNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof BITCOIN;
  readonly mempoolPollSeconds: number;
}

export function isBitcoin(network: NetworkConfiguration): network is BitcoinNetworkConfiguration {
  return network.family === BITCOIN;
}

export function bitcoinChainOf({
  network,
  chainId,
}: Pick<NetworkConfiguration, 'network' | 'chainId'>): BitcoinChain {
  const chain = BITCOIN_CHAINS.find(({ magic }) => magic === chainId);
  if (chain === undefined) throw new Error(`${network} is not a network of the chain type ${BITCOIN}.`);
  return chain;
}
