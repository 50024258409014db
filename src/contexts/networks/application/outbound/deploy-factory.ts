import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import {
  OutboundTransactionSender,
  type OutboundTransactionStatus,
  type OutboundTransactionOrder,
} from '../../contract/outbound-transaction-sender.js';
import { initialGasFees } from '../../domain/outbound/gas-fees.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import type { FactoryDeploymentPlan, FactoryDeployment } from '../chain-types.js';
import { AdvanceOutboundTransaction } from './advance-outbound-transaction.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';
import { SenderKeys } from './sender-keys.js';

const POLL_EVERY_MS = 1_000;
/** Longer than on any network, unless the gas price exceeds the fee ceiling. */
const MINING_TIMEOUT_MS = 180_000;
const DEPLOYMENT_PURPOSE = 'factory_deployment';

export interface DeployFactoryInput {
  readonly network: NetworkConfiguration;
  readonly deployment: FactoryDeployment;
  /** Pays for the deployment and gets no rights. Null if no transaction is to be sent. */
  readonly key: string | null;
  readonly send: boolean;
}

/** Maximum cost of the transaction in smallest units, with a margin for rising prices. */
export interface DeploymentCost {
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly cost: bigint;
}

export interface DeployFactoryResult extends FactoryDeploymentPlan {
  readonly outcome: 'already_there' | 'planned' | 'deployer_missing' | 'deployed';
  readonly limits?: DeploymentCost;
  /** Absent if no key was given. */
  readonly sender?: { readonly address: string; readonly balance: bigint };
  readonly transactionHash: string | null;
}

@Injectable()
export class DeployFactory {
  constructor(
    private readonly sender: OutboundTransactionSender,
    private readonly sendings: OutboundTransactions,
    private readonly advanceSending: AdvanceOutboundTransaction,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
  ) {}

  /**
   * @throws DomainError `validation_failed`, `state_conflict` or `unavailable`; Error if the transaction was sent but
   * is not in a block yet
   */
  async deploy({ network, deployment, key, send }: DeployFactoryInput): Promise<DeployFactoryResult> {
    const payer = key === null ? null : this.keys.requireKey(network.network, key).address;
    const plan = await deployment.plan(network, payer);
    if (plan.isThere) return { ...plan, outcome: 'already_there', transactionHash: null };
    if (plan.call === undefined) return { ...plan, outcome: 'deployer_missing', transactionHash: null };
    const limits = await this.costOf(network.network, plan.call.gasLimit);
    const outcome = { ...plan, limits, ...(payer !== null && { sender: await this.payer(network, payer) }) };
    if (!send || key === null || payer === null)
      return { ...outcome, outcome: 'planned', transactionHash: null };
    const transactionHash = await this.send(network.network, key, plan.call, limits);
    const verified = await deployment.verify(network, { hash: transactionHash, sender: payer });
    return { ...outcome, ...verified, isThere: true, outcome: 'deployed', transactionHash };
  }

  private async send(
    network: string,
    key: string,
    call: NonNullable<FactoryDeploymentPlan['call']>,
    { gasPrice }: DeploymentCost,
  ): Promise<string> {
    const { address } = this.keys.requireKey(network, key);
    const order = {
      network,
      key,
      purpose: DEPLOYMENT_PURPOSE,
      feeCeiling: gasPrice,
      call: { ...call, value: 0n },
    } as const;
    const begun = await this.unfinished(network, address);
    return this.untilInBlock(begun ?? (await this.begin(order, address)));
  }

  /** If a concurrent run of the command was faster, this run continues with the other run's transaction. */
  private async begin(order: Omit<OutboundTransactionOrder, 'id'>, address: string): Promise<string> {
    const id = newId<string>();
    try {
      await this.sender.send({ ...order, id });
      return id;
    } catch (error) {
      const begun = await this.unfinished(order.network, address);
      if (begun === null) throw error;
      return begun;
    }
  }

  /** A second deployment would waste its gas. */
  private async unfinished(network: string, address: string): Promise<string | null> {
    const sendings = await this.sendings.unfinished(network);
    return (
      sendings.find(({ sender, purpose }) => sender === address && purpose === DEPLOYMENT_PURPOSE)?.id ?? null
    );
  }

  private async untilInBlock(id: string): Promise<string> {
    const deadline = performance.now() + MINING_TIMEOUT_MS;
    for (;;) {
      const moved = await this.advanced(id);
      const fate = (await this.sender.status(id))!;
      const hash = deploymentHashOf(fate);
      if (hash !== null) return hash;
      if (performance.now() > deadline)
        throw new Error(
          `The transaction with the nonce ${fate.nonce} is not in a block yet (${fate.response ?? 'not sent'}). ` +
            'Run the command again to continue with it.',
        );
      if (!moved) await pause(POLL_EVERY_MS);
    }
  }

  /** Ignores unavailable endpoints: the outbound transaction is stored, so the next cycle continues it. */
  private async advanced(id: string): Promise<boolean> {
    try {
      return (await this.advanceSending.advance(id)) === 'moved';
    } catch (error) {
      if (error instanceof ChainUnavailable) return false;
      throw error;
    }
  }

  private async payer(
    { network }: NetworkConfiguration,
    address: string,
  ): Promise<{ address: string; balance: bigint }> {
    return { address, balance: (await this.chain.senderAccountState(network, address)).balance };
  }

  private async costOf(network: string, gas: bigint): Promise<DeploymentCost> {
    const limits = this.chain.feeLimits(network);
    const { maxFee } = initialGasFees(await this.chain.gasFeeMarket(network), limits);
    const offer = (maxFee * 3n) / 2n;
    const gasPrice = offer < limits.ceiling ? offer : limits.ceiling;
    return { gas, gasPrice, cost: gas * gasPrice };
  }
}

function deploymentHashOf({
  state,
  nonce,
  transactionHash,
  succeeded,
}: OutboundTransactionStatus): string | null {
  if (state === 'foreign')
    throw stateConflict(`Another transaction used the nonce ${nonce} of this key. Run the command again.`);
  if (state === 'cancelled') throw stateConflict(`The nonce ${nonce} was cancelled. Run the command again.`);
  if (succeeded === false)
    throw stateConflict(`${transactionHash} was reverted, so the factory is not deployed.`);
  return transactionHash;
}
