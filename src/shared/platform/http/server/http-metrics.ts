import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import type { ServedRequest } from './access-log.js';
import { Metrics } from '../../metrics/metrics.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Label values never come from caller input, so the number of time series is bounded. */
@Injectable()
export class HttpMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status_class'>;
  private readonly durations: Histogram<'method' | 'route'>;
  private readonly early: Counter;

  constructor(metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'http_requests_total',
      help: 'HTTP requests by route pattern. The status class "aborted" means that the caller disconnected before the response was complete.',
      labels: ['method', 'route', 'status_class'],
    });
    this.durations = metrics.histogram(
      {
        name: 'http_request_duration_seconds',
        help: 'Time from the last header of a request to the end of its response.',
        labels: ['method', 'route'],
      },
      DURATION_BUCKETS_SECONDS,
    );
    this.early = metrics.counter({
      name: 'http_memory_answers_total',
      help: 'Polls from payers that were answered from memory. http_requests_total does not include them.',
    });
  }

  countRequest({ method, route, status, seconds, aborted }: ServedRequest): void {
    const labels = { method: METHODS.has(method) ? method : 'other', route: route ?? 'unmatched' };
    const status_class = aborted ? 'aborted' : `${Math.floor(status / 100)}xx`;
    this.requests.inc({ ...labels, status_class });
    this.durations.observe(labels, seconds);
  }

  countEarlyAnswer(): void {
    this.early.inc();
  }
}
