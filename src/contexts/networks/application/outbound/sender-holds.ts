import { Injectable } from '@nestjs/common';
import type { DomainError } from '#shared/kernel/domain-error.js';
import { addressForPeople } from '../../contract/address-spelling.js';
import { nonceGap, refusalOfGap, type SendingAccount } from '../../domain/outbound/nonce-gap.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';

/**
 * Tracks accounts for which the chain shows more transactions than are stored. Holds the result of this process's last
 * check.
 */
@Injectable()
export class SenderHolds {
  private readonly seen = new Map<string, SendingAccount>();
  private readonly observers = new Set<(account: SendingAccount, hold: DomainError | null) => void>();

  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
  ) {}

  /** @throws ChainUnavailable */
  async holdOf(account: SendingAccount): Promise<DomainError | null> {
    return this.holdAt(account, (await this.chain.account(account.network, account.address)).mostCount);
  }

  /**
   * @param mostCount as the chain shows it, read before this call, so that concurrent writes to the database cause no
   * gap
   */
  async holdAt(account: SendingAccount, mostCount: number): Promise<DomainError | null> {
    const { network, key, address } = account;
    const gap = nonceGap(key, mostCount, await this.sendings.accounted(network, address));
    const hold = gap && refusalOfGap({ ...account, address: addressForPeople(address) }, gap);
    if (hold === null) this.seen.delete(`${network} ${address}`);
    else this.seen.set(`${network} ${address}`, account);
    for (const observer of this.observers) observer(account, hold);
    return hold;
  }

  held(): SendingAccount[] {
    return [...this.seen.values()];
  }

  /** Calls `observer` after each check of an account. The hold is null if the account is not on hold. */
  onSeen(observer: (account: SendingAccount, hold: DomainError | null) => void): void {
    this.observers.add(observer);
  }
}
