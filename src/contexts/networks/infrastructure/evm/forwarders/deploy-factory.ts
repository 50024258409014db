import { bytesToHex } from '@noble/hashes/utils';
import type { Account, Chain, Client, Hex, Transport } from 'viem';
import { getCode, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import { firstCreation } from './contract-address.js';
import {
  DETERMINISTIC_DEPLOYER,
  FACTORY_SALT,
  committedFactory,
  contractArtifact,
} from './forwarder-artifacts.js';

export interface DeployedFactory {
  /** EIP-55; the same on every network. */
  readonly factory: string;
  readonly implementation: string;
  readonly outcome: 'already_there' | 'deployed';
  readonly transactionHash?: string;
}

/**
 * Brings the committed factory onto the client's chain, once: again, or by two at a time, it is found there.
 * The client's account, unlocked at the node or local, pays the gas and gets no rights.
 * @throws Error if the chain lacks the deterministic deployer or the code is not there afterwards
 */
export async function deployFactory(
  client: Client<Transport, Chain | undefined, Account>,
): Promise<DeployedFactory> {
  const factory = committedFactory();
  const addresses = { factory, implementation: firstCreation(factory) };
  if (await hasCode(client, factory)) return { ...addresses, outcome: 'already_there' };
  if (!(await hasCode(client, DETERMINISTIC_DEPLOYER))) {
    throw new Error(
      `This chain has no deterministic deployer at ${DETERMINISTIC_DEPLOYER}; it must be brought there first.`,
    );
  }

  const transactionHash = await sendTransaction(client, {
    account: client.account,
    chain: client.chain ?? null,
    ...factoryTransaction(),
  });
  await waitForTransactionReceipt(client, { hash: transactionHash });
  // Whoever else deployed it a moment earlier made ours revert: what counts is that it is there.
  if (!(await hasCode(client, factory)))
    throw new Error(`${transactionHash} did not bring the factory to ${factory}.`);
  return { ...addresses, outcome: 'deployed', transactionHash };
}

/** The deployer's input: salt, then creation code. */
export function factoryTransaction(): { to: Hex; data: Hex } {
  const { bytecode } = contractArtifact('ForwarderFactory');
  return { to: DETERMINISTIC_DEPLOYER, data: `0x${bytesToHex(FACTORY_SALT)}${bytecode.slice(2)}` };
}

export async function hasCode(client: Client, address: string): Promise<boolean> {
  return ((await getCode(client, { address: address as Hex })) ?? '0x') !== '0x';
}
