import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { ADDRESS_FORMATS, type AddressFormat } from './addresses/address-format.js';

export const BITCOIN = 'bitcoin';

/** A bitcoin has 100 million satoshis. */
export const NATIVE_DECIMALS = 8;

/** A block that is known to stand in a chain. */
interface Checkpoint {
  readonly height: number;
  readonly hash: string;
}

/** A chain of the chain type, by its parameters in chainparams.cpp of Bitcoin Core. */
export interface BitcoinChain {
  /** The configuration's `chain` names it so. */
  readonly name: string;
  /** The number that messages between its nodes begin with, which distinguishes it from the others. */
  readonly magic: number;
  readonly genesisHash: string;
  readonly format: AddressFormat;
  /** No block may be easier: the most that its hash may be. */
  readonly easiestTarget: bigint;
  /** Blocks that each node of the chain has, lowest first. An endpoint with a lower head is still syncing. */
  readonly checkpoints: readonly Checkpoint[];
  /** The most that the hash of a block may be from the first checkpoint on. */
  readonly easiestSinceCheckpoint?: bigint;
  /** Every 2,016 blocks they become at most four times as easy. Test chains let blocks be easy after twenty minutes. */
  readonly isNeverSuddenlyEasy: boolean;
}

const MAIN_TARGET = 0xffffn << 208n;

/** The blocks of `m_assumeutxo_data` in chainparams.cpp of Bitcoin Core. */
const MAIN_CHECKPOINTS: readonly Checkpoint[] = [
  { height: 840_000, hash: '0000000000000000000320283a032748cef8227873ff4872689bf23f1cda83a5' },
  { height: 880_000, hash: '000000000000000000010b17283c3c400507969a9c2afd1dcf2082ec5cca2880' },
  { height: 910_000, hash: '0000000000000000000108970acb9522ffd516eae17acddcb1bd16469194a821' },
  { height: 935_000, hash: '0000000000000000000147034958af1652b2b91bba607beacc5e72a56f0fb5ee' },
];
/** The target of block 840,000, whose bits are 0x17034219. */
const TARGET_OF_FIRST_CHECKPOINT = 0x034219n << 160n;
/** Mining lost half of its power once. Below a sixteenth of it, blocks are refused until a release with other checkpoints. */
const EASIER_AT_MOST = 16n;

export const CHAINS: readonly BitcoinChain[] = [
  {
    name: 'main',
    magic: 0xd9b4bef9,
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    format: ADDRESS_FORMATS.mainnet,
    easiestTarget: MAIN_TARGET,
    checkpoints: MAIN_CHECKPOINTS,
    easiestSinceCheckpoint: TARGET_OF_FIRST_CHECKPOINT * EASIER_AT_MOST,
    isNeverSuddenlyEasy: true,
  },
  {
    name: 'testnet4',
    magic: 0x283f161c,
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    format: ADDRESS_FORMATS.testnet,
    easiestTarget: MAIN_TARGET,
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

/** A network whose chain is one of Bitcoin's. */
export interface BitcoinNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof BITCOIN;
  /** Nodes are asked for their mempools after so many seconds at the earliest. */
  readonly mempoolPollSeconds: number;
}

export function isBitcoin(network: NetworkConfiguration): network is BitcoinNetworkConfiguration {
  return network.family === BITCOIN;
}

/** The chain that a network of this chain type is configured to have. */
export function chainOf({
  network,
  chainId,
}: Pick<NetworkConfiguration, 'network' | 'chainId'>): BitcoinChain {
  const chain = CHAINS.find(({ magic }) => magic === chainId);
  if (chain === undefined) throw new Error(`${network} is not a network of the chain type ${BITCOIN}.`);
  return chain;
}
