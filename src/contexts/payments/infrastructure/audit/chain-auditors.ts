import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { RunDailyChainAudit } from '../../application/audit/run-daily-chain-audit.js';
import { chainAuditLeaseName } from './persistence/chain-audits.js';

/** Short, so that a due audit starts soon after an operator moves a sandbox's clock by days. */
const POLL_EVERY_MS = 10_000;

/** A lease limits each network to one process at a time. */
@Injectable()
export class ChainAuditors extends BackgroundWork {
  private readonly byNetwork: ReadonlyMap<string, LeasedLoop>;

  constructor(catalogue: NetworkCatalogue, leases: Leases, auditDaily: RunDailyChainAudit) {
    const byNetwork = new Map(
      catalogue.networks().map(({ network }) => {
        const options = { name: chainAuditLeaseName(network), idleMs: POLL_EVERY_MS };
        return [network, new LeasedLoop(options, leases, (epoch) => auditDaily.audit(network, epoch))];
      }),
    );
    super([...byNetwork.values()]);
    this.byNetwork = byNetwork;
  }

  runIteration(network: string): Promise<boolean> {
    return this.byNetwork.get(network)!.runIteration();
  }
}
