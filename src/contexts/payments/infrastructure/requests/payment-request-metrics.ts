import { Injectable } from '@nestjs/common';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import type { PaymentRequestStatusChanged } from '../../contract/payment-request-events.js';
import { STATUS_TRANSITIONS } from '../../domain/requests/status.js';

const STATUS_CHANGED: PaymentRequestStatusChanged['type'] = 'payment_request.status_changed';

/** Counting stored requests would take longer with each request. */
@Injectable()
export class PaymentRequestMetrics {
  constructor(metrics: Metrics, eventLog: EventLog) {
    const changes = metrics.counter({
      name: 'payment_request_status_changes_total',
      help: 'Payment requests that this process changed to the status in the label.',
      labels: ['status'],
    });
    for (const status of Object.keys(STATUS_TRANSITIONS)) changes.inc({ status }, 0);
    eventLog.onCommitted((events) => {
      for (const { type, data } of events)
        if (type === STATUS_CHANGED)
          changes.inc({ status: (data as PaymentRequestStatusChanged['data']).status });
    });
  }
}
