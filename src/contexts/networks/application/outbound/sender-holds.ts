import { Injectable } from '@nestjs/common';
import type { DomainError } from '#shared/kernel/domain-error.js';
import { toDisplayAddress } from '../../contract/address-spelling.js';
import { nonceGap, nonceGapRefusal, type SenderAccount } from '../../domain/outbound/nonce-gap.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';

/** Tracks which accounts are on hold because the chain shows more of their transactions than are stored. */
@Injectable()
export class SenderHolds {
  private readonly seen = new Map<string, SenderAccount>();
  private readonly observers = new Set<(account: SenderAccount, hold: DomainError | null) => void>();

  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
  ) {}

  async holdOf(account: SenderAccount): Promise<DomainError | null> {
    return this.holdAtCount(
      account,
      (await this.chain.senderAccountState(account.network, account.address)).mostCount,
    );
  }

  /**
   * @param mostCount read before this call, so that a concurrent write to the database cannot look like a missing
   * transaction
   */
  async holdAtCount(account: SenderAccount, mostCount: number): Promise<DomainError | null> {
    const { network, key, address } = account;
    const gap = nonceGap(key, mostCount, await this.sendings.recordedNonces(network, address));
    const hold = gap && nonceGapRefusal({ ...account, address: toDisplayAddress(address) }, gap);
    if (hold === null) this.seen.delete(`${network} ${address}`);
    else this.seen.set(`${network} ${address}`, account);
    for (const observer of this.observers) observer(account, hold);
    return hold;
  }

  accountsOnHold(): SenderAccount[] {
    return [...this.seen.values()];
  }

  onSeen(observer: (account: SenderAccount, hold: DomainError | null) => void): void {
    this.observers.add(observer);
  }
}
