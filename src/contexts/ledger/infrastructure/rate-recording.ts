import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { RecordRates } from '../application/record-rates.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { LEDGER_LOG_EVENTS } from './log-events.js';

const POLL_INTERVAL_MS = 60_000;

@Injectable()
export class RateRecording extends BackgroundWork {
  private readonly log = new OperatorLogWriter('ledger', LEDGER_LOG_EVENTS);

  constructor(record: RecordRates, leases: Leases) {
    super([
      new LeasedLoop({ name: 'recorded rates', idleMs: POLL_INTERVAL_MS }, leases, async () => {
        for (const { symbol, currency, isKnown } of await record.record()) {
          const about = `${symbol} ${currency}`;
          if (isKnown) this.log.forgetLoggedState(about);
          else this.log.writeOnce(about, 'missing', 'ledger.rate_missing', { symbol, currency });
        }
        return false;
      }),
    ]);
  }
}
