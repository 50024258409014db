import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { LeaseLost, Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { AuditChainDaily } from '#contexts/payments/application/watching/audit/audit-chain-daily.js';
import { chainAuditLease } from '#contexts/payments/domain/watching/chain-audits.js';

/** Soon after a sandbox's clock was moved by days, its audits are up to date again. */
const LOOK_EVERY_MS = 10_000;

/** Audits every network of the catalogue once a day, each in one process at a time: the holder of its lease. */
@Injectable()
export class ChainAuditors implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly holder = newId();
  private loops: BackgroundLoop[] = [];

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly leases: Leases,
    private readonly auditDaily: AuditChainDaily,
  ) {}

  onApplicationBootstrap(): void {
    this.loops = this.catalogue.networks().map(({ network }) => {
      const options = { name: `chain audit ${network}`, idleMs: LOOK_EVERY_MS };
      return new BackgroundLoop(options, () => this.turn(network));
    });
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    const names = this.catalogue.networks().map(({ network }) => chainAuditLease(network));
    await Promise.allSettled(names.map((name) => this.leases.release(name, this.holder)));
  }

  /** One step. @returns true when there is more to do at once */
  async turn(network: string): Promise<boolean> {
    const lease = chainAuditLease(network);
    const epoch = await this.leases.acquire(lease, this.holder);
    if (epoch === null) return false;
    try {
      return await this.leases.keepDuring(lease, this.holder, () => this.auditDaily.execute(network, epoch));
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      return false;
    }
  }
}
