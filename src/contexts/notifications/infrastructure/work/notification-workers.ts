import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { FindAlerts } from './find-alerts.js';
import { MakeReports } from './make-reports.js';
import { SendDigests } from './send-digests.js';

const DIGESTS_EVERY_MS = 2_000;
const REPORTS_EVERY_MS = 30_000;
const ALERTS_EVERY_MS = 60_000;

/**
 * Sends digests, reports and alerts. Any number of processes may run it: rules and reports are locked, alerts have a
 * lease.
 */
@Injectable()
export class NotificationWorkers extends BackgroundWork {
  constructor(digests: SendDigests, reports: MakeReports, alerts: FindAlerts, leases: Leases) {
    super([
      new BackgroundLoop({ name: 'mail digests', idleMs: DIGESTS_EVERY_MS }, () => digests.send()),
      new BackgroundLoop({ name: 'mail reports', idleMs: REPORTS_EVERY_MS }, () => reports.make()),
      new LeasedLoop({ name: 'mail alerts', idleMs: ALERTS_EVERY_MS }, leases, async () => {
        await alerts.find();
        return false;
      }),
    ]);
  }
}
