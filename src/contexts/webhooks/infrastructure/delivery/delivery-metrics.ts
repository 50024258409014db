import { Injectable } from '@nestjs/common';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import type { Attempt } from '../../domain/delivery/attempt.js';
import { DeliveryQueue } from './persistence/delivery-queue.js';

const OUTCOME_LABELS: Readonly<Record<Attempt['status'], string>> = {
  delivered: 'delivered',
  pending: 'retried',
  failed: 'failed',
};
const DURATION_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

@Injectable()
export class DeliveryMetrics {
  constructor(metrics: Metrics, queue: DeliveryQueue) {
    const attempts = metrics.counter({
      name: 'webhook_attempts_total',
      help: 'Webhook delivery attempts by outcome: delivered, to be retried, or permanently failed.',
      labels: ['outcome'],
    });
    const durations = metrics.histogram(
      {
        name: 'webhook_attempt_duration_seconds',
        help: 'Response time of webhook receivers. Attempts that sent no request are not included.',
      },
      DURATION_BUCKETS_SECONDS,
    );
    for (const outcome of Object.values(OUTCOME_LABELS)) attempts.inc({ outcome }, 0);
    queue.onRecorded((recorded) => {
      for (const { status, durationMs } of recorded) {
        attempts.inc({ outcome: OUTCOME_LABELS[status] });
        if (durationMs !== undefined) durations.observe(durationMs / 1_000);
      }
    });
  }
}
