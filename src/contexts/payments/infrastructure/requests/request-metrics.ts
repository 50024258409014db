import { Injectable } from '@nestjs/common';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import type {
  PaymentRequestStatus,
  PaymentRequestStatusChanged,
} from '../../contract/payment-request-events.js';

const STATUSES: Readonly<Record<PaymentRequestStatus, true>> = {
  pending: true,
  created: true,
  processing: true,
  completed: true,
  underpaid: true,
  overpaid: true,
  expired: true,
  failed: true,
};
const CHANGED: PaymentRequestStatusChanged['type'] = 'payment_request.status_changed';

/** Counts what this process commits: to count stored requests would take longer with each one. */
@Injectable()
export class RequestMetrics {
  constructor(metrics: Metrics, eventLog: EventLog) {
    const changes = metrics.counter({
      name: 'payment_request_status_changes_total',
      help: 'Payment requests that came to have this status, by the process that stored it.',
      labels: ['status'],
    });
    for (const status of Object.keys(STATUSES)) changes.inc({ status }, 0);
    eventLog.onCommitted((events) => {
      for (const { type, data } of events)
        if (type === CHANGED) changes.inc({ status: (data as PaymentRequestStatusChanged['data']).status });
    });
  }
}
