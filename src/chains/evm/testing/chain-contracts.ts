import { readFileSync } from 'node:fs';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  http,
  publicActions,
  type Hex,
} from 'viem';
import { currentFactoryAddress, contractArtifact } from '../../forwarders/forwarder-artifacts.js';
import { factoryTransaction } from '../forwarders/evm-factory-deployment.js';

export async function firstAccount(url: string): Promise<Address> {
  const [account] = await createWalletClient({ transport: http(url) }).getAddresses();
  if (account === undefined) throw new Error('The node has no account.');
  return account;
}

export interface Deployable {
  readonly abi: readonly object[];
  readonly bytecode: Hex;
}

/** @returns the compiled contract of `solidity/test/contracts` with this name; `npm run solidity` compiles them */
export function testContract(name: string): Deployable {
  const file = new URL('../../../../solidity/test/contracts/compiled.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Deployable>)[name]!;
}

/** @returns the address of the new contract, in EIP-55 */
export async function deployContract(
  url: string,
  { abi, bytecode }: Deployable,
  args: readonly unknown[] = [],
): Promise<Address> {
  const account = await firstAccount(url);
  const client = createWalletClient({ transport: http(url), account, pollingInterval: 20 }).extend(
    publicActions,
  );
  const hash = await client.deployContract({ abi, bytecode, args, chain: null });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The contract was not deployed.');
  return contractAddress;
}

export function deployTestToken(url: string, decimals: number): Promise<Address> {
  return deployContract(url, contractArtifact('TestToken'), ['Test Dollar', 'USDT', decimals]);
}

/**
 * Sends a call to a token.
 * @returns the transaction hash, possibly before the transaction is mined
 */
export async function submitToToken(
  url: string,
  token: Address,
  functionName: string,
  args: unknown[],
): Promise<Hex> {
  const client = createWalletClient({ transport: http(url), account: await firstAccount(url) });
  const data = encodeFunctionData({ abi: contractArtifact('TestToken').abi, functionName, args });
  return client.sendTransaction({ to: token, data, chain: null });
}

/**
 * Sends a call to a token on a node that mines immediately.
 * @returns the block hash
 */
export async function sendToToken(...call: Parameters<typeof submitToToken>): Promise<Hex> {
  const hash = await submitToToken(...call);
  const client = createPublicClient({ transport: http(call[0]), pollingInterval: 20 });
  return (await client.waitForTransactionReceipt({ hash })).blockHash;
}

export async function deployFactory(url: string) {
  const account = await firstAccount(url);
  const client = createWalletClient({ transport: http(url), account, pollingInterval: 20 }).extend(
    publicActions,
  );
  const factory = currentFactoryAddress();
  if ((await client.getCode({ address: factory as Hex })) !== undefined)
    return { factory, outcome: 'already_there' };
  const hash = await client.sendTransaction({ ...factoryTransaction(), chain: null });
  await client.waitForTransactionReceipt({ hash });
  return { factory, outcome: 'deployed' };
}
