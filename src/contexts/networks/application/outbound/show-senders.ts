import { Injectable } from '@nestjs/common';
import { ChainUnavailable, orUnavailable } from '../../contract/chain-reader.js';
import { firstFees } from '../../domain/outbound/fees.js';
import { type AccountState, isBalanceLow } from '../../domain/outbound/gas-key.js';
import { type NextStep, nextStepOf } from '../../domain/outbound/next-step.js';
import type { SendingAccount } from '../../domain/outbound/nonce-gap.js';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { SenderHolds } from './sender-holds.js';
import { OutboundChain } from './outbound-chain.js';
import { type OutboundAttempt, OutboundTransactions } from './outbound-transactions.js';
import { SenderKeys } from './sender-keys.js';

export interface SenderView {
  readonly network: string;
  readonly address: string;
  readonly isHeld: boolean;
  readonly account: AccountState | ChainUnavailable;
  /** Null for a float, or if no endpoint answers. */
  readonly isLow: boolean | null;
  readonly hold: string | null;
  readonly unfinished: readonly UnfinishedView[];
}

export interface UnfinishedView extends OutboundTransaction {
  readonly stored: readonly OutboundAttempt[];
  readonly nextStep: NextStep;
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
  async show(networks: readonly string[], others: readonly SendingAccount[] = []): Promise<SenderView[]> {
    return (await Promise.all(networks.map((network) => this.ofNetwork(network, others)))).flat();
  }

  private async ofNetwork(network: string, others: readonly SendingAccount[]): Promise<SenderView[]> {
    const unfinished = await this.sendings.unfinished(network);
    const named = this.keys.addresses();
    const accounts = new Map<string, SendingAccount>();
    for (const address of named) accounts.set(address, { network, key: null, address });
    for (const { key, sender } of unfinished) accounts.set(sender, { network, key, address: sender });
    for (const other of [...others, ...this.holds.held()]) {
      if (other.network !== network || accounts.has(other.address)) continue;
      const hold = await orUnavailable(this.holds.holdOf(other));
      if (hold !== null && !(hold instanceof ChainUnavailable)) accounts.set(other.address, other);
    }
    return Promise.all([...accounts.values()].map((account) => this.ofKey(account, named, unfinished)));
  }

  private async ofKey(
    { network, key, address }: SendingAccount,
    named: readonly string[],
    all: readonly OutboundTransaction[],
  ): Promise<SenderView> {
    const isNamed = named.includes(address);
    const unfinished = all.filter(({ sender }) => sender === address);
    const [account, blockGas] = await Promise.all([
      orUnavailable(this.chain.account(network, address)),
      unfinished.length === 0 ? null : orUnavailable(this.chain.blockGas(network)),
    ]);
    // Called last and awaited immediately: an unhandled rejection would end the process.
    const viewOf = async (sending: OutboundTransaction): Promise<UnfinishedView> => {
      const stored = await this.sendings.attempts(sending.id);
      const nextStep = nextStepOf({
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
    about: SendingAccount,
    account: AccountState | ChainUnavailable,
  ): Promise<string | null> {
    if (account instanceof ChainUnavailable) return null;
    return (await this.holds.holdAt(about, account.mostCount))?.message ?? null;
  }

  private async isLow(
    network: string,
    address: string,
    account: AccountState | ChainUnavailable,
  ): Promise<boolean | null> {
    const market = await orUnavailable(this.chain.market(network));
    if (account instanceof ChainUnavailable || market instanceof ChainUnavailable) return null;
    const { maxFee } = firstFees(market, this.chain.feeLimits(network));
    return isBalanceLow(account, await this.sendings.committed(network, address), maxFee);
  }
}
