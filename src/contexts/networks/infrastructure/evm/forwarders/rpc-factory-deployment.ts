import { Injectable } from '@nestjs/common';
import { bytesToHex } from '@noble/hashes/utils';
import { setTimeout as pause } from 'node:timers/promises';
import { BaseError, type Client, type Hex, createClient, custom } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  estimateGas,
  getBalance,
  getCode,
  getGasPrice,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from 'viem/actions';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import { NATIVE_DECIMALS } from '../evm-network.js';
import { firstCreation } from './contract-address.js';
import type { Endpoint } from '../../../domain/endpoint.js';
import type { DeploymentPlan, FeeLimits } from '../../../application/factory-deployment.js';
import {
  DETERMINISTIC_DEPLOYER,
  FACTORY_SALT,
  committedFactory,
  contractArtifact,
} from './forwarder-artifacts.js';
import { JsonRpc } from '../rpc/json-rpc.js';

const LOOK_EVERY_MS = 1_000;
/** Longer than any network's blocks take, unless the price has risen above the limit. */
const IN_A_BLOCK_WITHIN_MS = 180_000;

/** Brings the committed forwarder factory to a chain, by one endpoint. A key is 32 bytes in hex with `0x`. */
@Injectable()
export class RpcFactoryDeployment {
  constructor(private readonly rpc: JsonRpc) {}

  /** Sends nothing. @throws ChainUnavailable */
  async plan(endpoint: Endpoint, key: string | null): Promise<DeploymentPlan> {
    const client = createClient({ transport: this.transport(endpoint) });
    const factory = committedFactory();
    const account = key === null ? null : privateKeyToAccount(key as Hex);
    return inPlainWords(async () => {
      const isThere = await hasCode(client, factory);
      const hasDeployer = isThere || (await hasCode(client, DETERMINISTIC_DEPLOYER));
      const contracts = { factory, implementation: firstCreation(factory), deployer: DETERMINISTIC_DEPLOYER };
      const plan = { ...contracts, isThere, hasDeployer, nativeDecimals: NATIVE_DECIMALS };
      if (isThere || !hasDeployer) return plan;
      const from = account?.address;
      const needed = await estimateGas(client, { ...factoryTransaction(), ...(from && { account: from }) });
      const gas = (needed * 6n) / 5n;
      const gasPrice = ((await getGasPrice(client)) * 5n) / 4n;
      const sender = from && { address: from, balance: await getBalance(client, { address: from }) };
      return { ...plan, limits: { gas, gasPrice, cost: gas * gasPrice }, ...(sender && { sender }) };
    });
  }

  /**
   * Signs one transaction for this chain and within these limits, whatever the endpoint says by now, sends it, and waits
   * until it is in a block. The key's account pays for it and gets no rights.
   * @returns its hash
   * @throws Error with the node's message where nothing was sent; with the hash where it was sent and no endpoint shows it in
   *   a block: sent again before it is, it has the same nonce, so that only one of the two can ever be paid for
   */
  async send(
    endpoint: Endpoint,
    key: string,
    chainId: number,
    { gas, gasPrice }: FeeLimits,
  ): Promise<string> {
    const client = createClient({ transport: this.transport(endpoint) });
    const account = privateKeyToAccount(key as Hex);
    return inPlainWords(async () => {
      // Of what is in blocks only: sent again, it takes the place of the one that waits.
      const nonce = await getTransactionCount(client, { address: account.address, blockTag: 'latest' });
      // The kind that every network takes, with one price (EIP-155).
      const transaction = { type: 'legacy', chainId, nonce, gas, gasPrice, ...factoryTransaction() } as const;
      const hash = await sendRawTransaction(client, {
        serializedTransaction: await account.signTransaction(transaction),
      });
      await untilInBlock(client, hash);
      return hash;
    });
  }

  /** By `JsonRpc`, whose errors never hold the endpoint's address. Once each: a transaction is not sent again. */
  private transport(endpoint: Endpoint) {
    const read = (answer: unknown) => answer;
    return custom(
      {
        request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
          this.rpc.callOnce(endpoint, { method, params: params ?? [], read }),
      },
      { retryCount: 0 },
    );
  }
}

/** The deployer's input: salt, then creation code. */
export function factoryTransaction(): { to: Hex; data: Hex } {
  const { bytecode } = contractArtifact('ForwarderFactory');
  return { to: DETERMINISTIC_DEPLOYER, data: `0x${bytesToHex(FACTORY_SALT)}${bytecode.slice(2)}` };
}

export async function hasCode(client: Client, address: string): Promise<boolean> {
  return ((await getCode(client, { address: address as Hex })) ?? '0x') !== '0x';
}

async function untilInBlock(client: Client, hash: Hex): Promise<void> {
  const deadline = performance.now() + IN_A_BLOCK_WITHIN_MS;
  // It is sent: where an endpoint fails to answer, it is asked again.
  while ((await getTransactionReceipt(client, { hash }).catch(() => null)) === null) {
    if (performance.now() > deadline)
      throw new Error(
        `${hash} was sent, and no block was seen that has it. Look for it before anything else.`,
      );
    await pause(LOOK_EVERY_MS);
  }
}

/** viem's own messages are pages long, and hold all that was sent. */
async function inPlainWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const cause = error.walk((each) => each instanceof ChainUnavailable);
    throw cause instanceof ChainUnavailable ? cause : new Error(error.shortMessage);
  }
}
