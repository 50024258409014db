import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { GAP_LIMIT } from '../../domain/requests/address-numbers.js';
import { WalletAddresses, type WalletUse } from './persistence/views/wallet-addresses.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';
import { PAYMENTS_LOG_EVENTS } from '../log-events.js';

const IDLE_MS = 60_000;
const WALLETS_AT_ONCE = 200;

/**
 * Warns about wallets whose newest addresses are unpaid beyond the gap limit: the merchant's wallet software may not
 * find later payments. New addresses are still issued for the merchant's own requests, and for links without another
 * asset. Otherwise, strangers could close a shop.
 */
@Injectable()
export class UnusedAddresses extends BackgroundWork {
  private readonly log = new EventLogger('payments', PAYMENTS_LOG_EVENTS);
  /** Wallets beyond the gap limit that the current scan has found so far. */
  private found: WalletUse[] = [];
  private past: readonly WalletUse[] = [];
  private position = 0;

  constructor(
    metrics: Metrics,
    catalogue: NetworkCatalogue,
    private readonly wallets: WalletAddresses,
  ) {
    super([new BackgroundLoop({ name: 'unused addresses', idleMs: IDLE_MS }, () => this.look())]);
    metrics.gauge(
      {
        name: 'wallets_with_unused_addresses',
        help: `Merchant wallets whose newest ${GAP_LIMIT} or more addresses have received no payment.`,
        labels: ['network'] as const,
      },
      (gauge) => {
        for (const { network } of catalogue.networks())
          gauge.set({ network }, this.past.filter((each) => each.network === network).length);
      },
    );
  }

  /** @returns true if the scan has more wallets to check */
  async look(): Promise<boolean> {
    const some = await this.wallets.some(this.position, WALLETS_AT_ONCE);
    this.found.push(...some.filter(({ unused }) => unused >= GAP_LIMIT));
    const last = some.at(-1);
    if (last !== undefined && some.length === WALLETS_AT_ONCE) {
      this.position = last.numberingId;
      return true;
    }
    this.endRound();
    return false;
  }

  private endRound(): void {
    const still = new Set(this.found.map(({ numberingId }) => numberingId));
    for (const { numberingId } of this.past)
      if (!still.has(numberingId)) this.log.forget(String(numberingId));
    for (const wallet of this.found) this.warn(wallet);
    this.past = this.found;
    this.found = [];
    this.position = 0;
  }

  private warn({ numberingId, network, organizationId, unused, nextNumber }: WalletUse): void {
    const line = { network, organization_id: organizationId, unused, next_number: nextNumber };
    this.log.writeOnce(String(numberingId), network, 'wallet.addresses_unused', line);
  }
}
