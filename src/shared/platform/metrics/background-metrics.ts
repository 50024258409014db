import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../background/background-loop.js';
import { Metrics } from './metrics.js';

/** Shows that this process's background work goes on: watching, settling, delivering, pruning, … */
@Injectable()
export class BackgroundMetrics {
  constructor(metrics: Metrics) {
    metrics.gauge(
      {
        name: 'background_loop_failing_seconds',
        help: 'For how long all turns of a background loop of this process have failed; 0 where the last one has not.',
        labels: ['loop'],
      },
      (gauge) => {
        metrics.clear(gauge);
        for (const [loop, seconds] of BackgroundLoop.failingSeconds()) gauge.set({ loop }, seconds);
      },
    );
  }
}
