import { readFileSync } from 'node:fs';
import {
  concatHex,
  encodeDeployData,
  getContractAddress,
  type Abi,
  type Account,
  type Address,
  type Client,
  type Hex,
  type Transport,
} from 'viem';
import { getCode, sendTransaction, waitForTransactionReceipt } from 'viem/actions';

export type Deployer = Client<Transport, undefined, Account>;

/** Arachnid's deterministic-deployment-proxy, which is at the same address on every chain. anvil includes it. */
const DETERMINISTIC_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT: Hex = `0x${'00'.repeat(32)}`;
/** Resolves from both the built file and the source. */
const ARTIFACTS = new URL('../../solidity/artifacts/', import.meta.url);

export type TokenContract = 'TestToken' | 'TronTestToken';
type FactoryContract = 'ForwarderFactory' | 'TronForwarderFactory';

/** Reads a committed build of `solidity/`. `bytecode` is the creation code. */
export function contractArtifact(name: TokenContract | FactoryContract | 'PayerContract'): {
  abi: Abi;
  bytecode: Hex;
} {
  return JSON.parse(readFileSync(new URL(`${name}.json`, ARTIFACTS), 'utf8')) as { abi: Abi; bytecode: Hex };
}

/** The forwarder factory's creation code. Its argument is the prefix that CREATE2 hashes (EIP-1014). */
export function factoryCreationCode(contract: FactoryContract = 'ForwarderFactory'): Hex {
  return encodeDeployData({ ...contractArtifact(contract), args: ['0xff'] });
}

/** The address (EIP-55) at which `deployOnce` deploys this code on every chain. */
export function deterministicAddress(creationCode: Hex): Address {
  const from = DETERMINISTIC_DEPLOYER;
  return getContractAddress({ opcode: 'CREATE2', from, salt: SALT, bytecode: creationCode });
}

export async function deployOnce(client: Deployer, creationCode: Hex): Promise<void> {
  const address = deterministicAddress(creationCode);
  if (((await getCode(client, { address })) ?? '0x') !== '0x') return;
  const data = concatHex([SALT, creationCode]);
  const hash = await sendTransaction(client, { chain: null, to: DETERMINISTIC_DEPLOYER, data });
  await waitForTransactionReceipt(client, { hash });
}
