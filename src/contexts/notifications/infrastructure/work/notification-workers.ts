import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { FindAlerts } from './find-alerts.js';
import { MakeReports } from './make-reports.js';
import { SendChatMessages } from './send-chat-messages.js';
import { SendDigests } from './send-digests.js';

const DIGEST_INTERVAL_MS = 2_000;
const CHAT_INTERVAL_MS = 2_000;
const REPORT_INTERVAL_MS = 30_000;
const ALERT_INTERVAL_MS = 60_000;

/** Any number of processes may run it: rules, messages and reports are locked, alerts have a lease. */
@Injectable()
export class NotificationWorkers extends BackgroundWork {
  constructor(
    digests: SendDigests,
    chats: SendChatMessages,
    reports: MakeReports,
    alerts: FindAlerts,
    leases: Leases,
  ) {
    super([
      new BackgroundLoop({ name: 'mail digests', idleMs: DIGEST_INTERVAL_MS }, () => digests.send()),
      new BackgroundLoop({ name: 'chat messages', idleMs: CHAT_INTERVAL_MS }, () => chats.send()),
      new BackgroundLoop({ name: 'mail reports', idleMs: REPORT_INTERVAL_MS }, () => reports.make()),
      new LeasedLoop({ name: 'mail alerts', idleMs: ALERT_INTERVAL_MS }, leases, async () => {
        await alerts.find();
        return false;
      }),
    ]);
  }
}
