import { Injectable } from '@nestjs/common';
import { BackgroundWork, LogOnce } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { RecordRates } from '../application/record-rates.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';

const POLL_INTERVAL_MS = 60_000;

/** Records rates for valuation, in one process at a time. */
@Injectable()
export class RateRecording extends BackgroundWork {
  private readonly log = new EventLogger('ledger');
  private readonly logOnce = new LogOnce();
  protected readonly loops: readonly LeasedLoop[];

  constructor(record: RecordRates, leases: Leases) {
    super();
    this.loops = [
      new LeasedLoop({ name: 'recorded rates', idleMs: POLL_INTERVAL_MS }, leases, async () => {
        for (const { symbol, currency, isKnown } of await record.record()) {
          const about = `${symbol} ${currency}`;
          if (isKnown) this.logOnce.forget(about);
          else
            this.logOnce.news(about, 'missing', () =>
              this.log.write('ledger.rate_missing', { symbol, currency }),
            );
        }
        return false;
      }),
    ];
  }
}
