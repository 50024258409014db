import { readFileSync } from 'node:fs';
import { keccak_256 } from '@noble/hashes/sha3';
import {
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  parseEventLogs,
  toHex,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import { arachnid, type World } from './world.js';

export type Artifact = { abi: object[]; bytecode: Hex; deployedBytecode: Hex };

/** The committed ones; `long/reproducible.test.ts` proves that they are what the sources compile to. */
export const artifacts = {
  Forwarder: committed<Artifact>('Forwarder'),
  ForwarderFactory: committed<Artifact>('ForwarderFactory'),
  TronForwarder: committed<Artifact>('TronForwarder'),
  TronForwarderFactory: committed<Artifact>('TronForwarderFactory'),
  TronTestToken: committed<Artifact>('TronTestToken'),
  TestToken: committed<Artifact>('TestToken'),
};
export const deployment = committed<Record<string, Hex>>('deployment');
export const factoryAbi = artifacts.ForwarderFactory.abi as Abi;
export const tokenAbi = artifacts.TestToken.abi as Abi;
export const native = zeroAddress;
export const deploymentSalt: Hex = `0x${'00'.repeat(32)}`;

function committed<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../artifacts/${name}.json`, import.meta.url), 'utf8')) as T;
}

export type Terms = {
  settlement: Address;
  feeRecipient: Address;
  feeBasisPoints: number;
  homeChainId: bigint;
};
export type Group = { terms: Terms; token: Address; undeployed: boolean; salts: Hex[] };
/** The struct `ForwarderFactory.GasLimits`. */
export type GasLimits = { reading: bigint; payout: bigint; creation: bigint; fee: bigint; reserve: bigint };
export type Outcome = { name: string; args: Record<string, unknown> };

/** Deploys the factory as an operator would, through the deterministic deployer. */
export async function deployFactory(world: World): Promise<Address> {
  const creationCode = factoryCreationCode('ff');
  await world.send({ to: arachnid, data: `${deploymentSalt}${creationCode.slice(2)}` });
  return create2(arachnid, deploymentSalt, creationCode);
}

/** The byte that CREATE2 hashes first. */
export type Create2Prefix = 'ff' | '41';

export function factoryCreationCode(prefix: Create2Prefix): Hex {
  const factory = prefix === '41' ? artifacts.TronForwarderFactory : artifacts.ForwarderFactory;
  return `${factory.bytecode}${prefix.padEnd(64, '0')}`;
}

/** The 128 bits of a UUID, then 128 zero bits. */
export function saltOf(requestId: string): Hex {
  return `0x${requestId.replaceAll('-', '').padEnd(64, '0')}`;
}

/** CREATE2 by plain hashing (EIP-1014). @param prefix 41 on TRON */
export function create2(deployer: Address, salt: Hex, initCode: Hex, prefix: Create2Prefix = 'ff'): Address {
  return create2OfHash(deployer, salt, toHex(keccak_256(bytes(initCode))), prefix);
}

export function create2OfHash(deployer: Address, salt: Hex, hash: Hex, prefix: Create2Prefix): Address {
  const preimage = `0x${prefix}${deployer.slice(2)}${salt.slice(2)}${hash.slice(2)}` as Hex;
  return getAddress(toHex(keccak_256(bytes(preimage)).slice(12)));
}

function bytes(hex: Hex): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'));
}

/** A deposit address out of the committed pieces alone, as the service derives it. */
export function derive(terms: Terms, salt: Hex): Address {
  const { factory, implementation } = deployment as Record<string, Address>;
  return create2(getAddress(factory!), salt, cloneCode(terms, implementation!));
}

/** @returns the creation code of the clone of these terms */
export function cloneCode(terms: Terms, implementation: Address): Hex {
  const chain = terms.homeChainId.toString(16);
  const fee = terms.feeBasisPoints
    ? terms.feeRecipient.slice(2) + terms.feeBasisPoints.toString(16).padStart(4, '0')
    : '';
  const args = terms.settlement.slice(2) + fee + chain.padStart(chain.length + (chain.length % 2), '0');
  return `0x${[
    deployment.cloneCodeBeforeLength!.slice(2),
    (args.length / 2 + Number(deployment.cloneRuntimeLength)).toString(16).padStart(4, '0'),
    deployment.cloneCodeAfterLength!.slice(2),
    implementation.slice(2),
    deployment.cloneCodeAfterImplementation!.slice(2),
    args,
  ].join('')}`;
}

/** Limits that suit ordinary tokens under today's prices of gas. */
export const ordinary: GasLimits = {
  reading: 100_000n,
  payout: 650_000n,
  creation: 55_000n,
  fee: 200_000n,
  reserve: 20_000n,
};

export function settleData(groups: Group[], limits: Partial<GasLimits> = {}): Hex {
  const args = [groups, { ...ordinary, ...limits }];
  return encodeFunctionData({ abi: factoryAbi, functionName: 'settle', args });
}

/** The outcomes that the factory has logged, in order. */
export function outcomes(receipt: { logs: unknown[] }, factory: Address): Outcome[] {
  const logs = (receipt.logs as { address: Address }[]).filter((log) => getAddress(log.address) === factory);
  return parseEventLogs({ abi: factoryAbi, logs: logs as never }).map((log) => {
    const { eventName, args } = log as unknown as { eventName: string; args: Record<string, unknown> };
    return { name: eventName, args };
  });
}

export async function addressOf(world: World, factory: Address, terms: Terms, salt: Hex): Promise<Address> {
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'addressOf', args: [terms, salt] });
  const { data: answer } = await world.client.call({ to: factory, data });
  return decodeFunctionResult({ abi: factoryAbi, functionName: 'addressOf', data: answer! }) as Address;
}

export async function tokenBalance(world: World, token: Address, owner: Address): Promise<bigint> {
  if (token === native) return world.client.getBalance({ address: owner });
  return (await world.client.readContract({
    address: token,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [owner],
  })) as bigint;
}

export function mintData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, amount] });
}
