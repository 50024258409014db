import { Injectable } from '@nestjs/common';
import { ChainUnavailable, catchChainUnavailable } from '../../contract/chain-reader.js';
import { initialGasFees } from '../../domain/outbound/gas-fees.js';
import { type SenderAccountState, isGasBalanceLow } from '../../domain/outbound/gas-key.js';
import { type OperatorNextStep, operatorNextStep } from '../../domain/outbound/next-step.js';
import type { SenderAccount } from '../../domain/outbound/nonce-gap.js';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { SenderHolds } from './sender-holds.js';
import { OutboundChain } from './outbound-chain.js';
import { type OutboundAttempt, OutboundTransactions } from './outbound-transactions.js';
import { SenderKeys } from './sender-keys.js';

export interface SenderView {
  readonly network: string;
  readonly address: string;
  readonly isHeld: boolean;
  readonly account: SenderAccountState | ChainUnavailable;
  /** Null for a float, or if no endpoint answers. */
  readonly isLow: boolean | null;
  readonly hold: string | null;
  readonly unfinished: readonly UnfinishedOutboundTransactionView[];
}

export interface UnfinishedOutboundTransactionView extends OutboundTransaction {
  readonly stored: readonly OutboundAttempt[];
  readonly nextStep: OperatorNextStep;
}

@Injectable()
export class ShowSenders {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
    private readonly holds: SenderHolds,
  ) {}

  /** @param others additional accounts, shown if they are on hold */
  async show(networks: readonly string[], others: readonly SenderAccount[] = []): Promise<SenderView[]> {
    return (await Promise.all(networks.map((network) => this.ofNetwork(network, others)))).flat();
  }

  private async ofNetwork(network: string, others: readonly SenderAccount[]): Promise<SenderView[]> {
    const unfinished = await this.sendings.unfinished(network);
    const named = this.keys.addresses(network);
    const accounts = new Map<string, SenderAccount>();
    for (const address of named) accounts.set(address, { network, key: null, address });
    for (const { key, sender } of unfinished) accounts.set(sender, { network, key, address: sender });
    for (const other of [...others, ...this.holds.accountsOnHold()]) {
      if (other.network !== network || accounts.has(other.address)) continue;
      const hold = await catchChainUnavailable(this.holds.holdOf(other));
      if (hold !== null && !(hold instanceof ChainUnavailable)) accounts.set(other.address, other);
    }
    return Promise.all([...accounts.values()].map((account) => this.ofKey(account, named, unfinished)));
  }

  private async ofKey(
    { network, key, address }: SenderAccount,
    named: readonly string[],
    all: readonly OutboundTransaction[],
  ): Promise<SenderView> {
    const isNamed = named.includes(address);
    const unfinished = all.filter(({ sender }) => sender === address);
    const [account, blockGas] = await Promise.all([
      catchChainUnavailable(this.chain.senderAccountState(network, address)),
      unfinished.length === 0 ? null : catchChainUnavailable(this.chain.blockGasLimit(network)),
    ]);
    // Called last and awaited immediately: an unhandled rejection would end the process.
    const viewOf = async (sending: OutboundTransaction): Promise<UnfinishedOutboundTransactionView> => {
      const stored = await this.sendings.attempts(sending.id);
      const nextStep = operatorNextStep({
        sending,
        offered: stored.at(-1)?.fees ?? null,
        cancels: stored.at(-1)?.cancels === true,
        blockGas: blockGas instanceof ChainUnavailable ? null : blockGas,
        isHeld: this.keys.keyFor(sending) !== undefined,
        account: account instanceof ChainUnavailable ? null : account,
      });
      return { ...sending, stored, nextStep };
    };
    return {
      network,
      address,
      account,
      isHeld: isNamed || unfinished.some((sending) => this.keys.keyFor(sending) !== undefined),
      isLow: isNamed ? await this.isLow(network, address, account) : null,
      hold: await this.hold({ network, key, address }, account),
      unfinished: await Promise.all(unfinished.map(viewOf)),
    };
  }

  private async hold(
    about: SenderAccount,
    account: SenderAccountState | ChainUnavailable,
  ): Promise<string | null> {
    if (account instanceof ChainUnavailable) return null;
    return (await this.holds.holdAtCount(about, account.mostCount))?.message ?? null;
  }

  private async isLow(
    network: string,
    address: string,
    account: SenderAccountState | ChainUnavailable,
  ): Promise<boolean | null> {
    const market = await catchChainUnavailable(this.chain.gasFeeMarket(network));
    if (account instanceof ChainUnavailable || market instanceof ChainUnavailable) return null;
    const { maxFee } = initialGasFees(market, this.chain.feeLimits(network));
    return isGasBalanceLow(account, await this.sendings.committedCost(network, address), maxFee);
  }
}
