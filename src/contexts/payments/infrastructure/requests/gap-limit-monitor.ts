import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { GAP_LIMIT } from '../../domain/requests/address-numbers.js';
import {
  MerchantWalletAddresses,
  type WalletAddressUsage,
} from './persistence/views/merchant-wallet-addresses.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PAYMENTS_LOG_EVENTS } from '../log-events.js';

const PAUSE_BETWEEN_SCANS_MS = 60_000;
const WALLETS_AT_ONCE = 200;

/**
 * Beyond the gap limit, the merchant's wallet may not find later payments. New addresses are still issued for the
 * merchant's own requests, because otherwise strangers could close a shop.
 */
@Injectable()
export class GapLimitMonitor extends BackgroundWork {
  private readonly log = new OperatorLogWriter('payments', PAYMENTS_LOG_EVENTS);
  private foundInScan: WalletAddressUsage[] = [];
  private foundInLastScan: readonly WalletAddressUsage[] = [];
  private position = 0;

  constructor(
    metrics: Metrics,
    catalogue: NetworkCatalogue,
    private readonly wallets: MerchantWalletAddresses,
  ) {
    super([
      new BackgroundLoop({ name: 'unused addresses', idleMs: PAUSE_BETWEEN_SCANS_MS }, () =>
        this.checkWallets(),
      ),
    ]);
    metrics.gauge(
      {
        name: 'wallets_with_unused_addresses',
        help: `Merchant wallets whose newest ${GAP_LIMIT} or more addresses have received no payment.`,
        labels: ['network'] as const,
      },
      (gauge) => {
        for (const { network } of catalogue.networks())
          gauge.set({ network }, this.foundInLastScan.filter((each) => each.network === network).length);
      },
    );
  }

  async checkWallets(): Promise<boolean> {
    const some = await this.wallets.listWalletUsageAfter(this.position, WALLETS_AT_ONCE);
    this.foundInScan.push(...some.filter(({ unused }) => unused >= GAP_LIMIT));
    const last = some.at(-1);
    if (last !== undefined && some.length === WALLETS_AT_ONCE) {
      this.position = last.numberingId;
      return true;
    }
    this.endScan();
    return false;
  }

  private endScan(): void {
    const still = new Set(this.foundInScan.map(({ numberingId }) => numberingId));
    for (const { numberingId } of this.foundInLastScan)
      if (!still.has(numberingId)) this.log.forgetLoggedState(String(numberingId));
    for (const wallet of this.foundInScan) this.warn(wallet);
    this.foundInLastScan = this.foundInScan;
    this.foundInScan = [];
    this.position = 0;
  }

  private warn({ numberingId, network, organizationId, unused, nextNumber }: WalletAddressUsage): void {
    const line = { network, organization_id: organizationId, unused, next_number: nextNumber };
    this.log.writeOnce(String(numberingId), network, 'wallet.addresses_unused', line);
  }
}
