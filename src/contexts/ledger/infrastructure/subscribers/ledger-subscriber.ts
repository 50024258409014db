import { Injectable } from '@nestjs/common';
import { checksummed } from '../../../../shared/kernel/evm-address.js';
import type { PublishedEvent } from '../../../../shared/kernel/domain-event.js';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { EventSubscriber } from '../../../../shared/platform/event-log/event-subscriber.js';
import type { PaymentRequestConfirmed } from '../../../payments/contract/payment-request-events.js';
import { PostPaymentsIn } from '../../application/post-payments-in.js';
import type { ConfirmedPayment } from '../../domain/payment-in.js';

/** Posts what payments has confirmed, a batch at a time, in the transaction that moves its position. */
@Injectable()
export class LedgerSubscriber extends EventSubscriber {
  override readonly name = 'ledger';
  override readonly eventTypes: readonly PaymentRequestConfirmed['type'][] = ['payment_request.confirmed'];

  constructor(private readonly postPaymentsIn: PostPaymentsIn) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.postPaymentsIn.execute(
      (events as readonly PublishedEvent<PaymentRequestConfirmed>[]).map(toPayment),
    );
  }
}

/** Addresses are written in EIP-55 once, here, because hashing them again for every page would cost more than the page. */
function toPayment({
  aggregateId,
  organizationId,
  accountId,
  data,
}: PublishedEvent<PaymentRequestConfirmed>): ConfirmedPayment {
  return {
    ...data,
    paymentRequestId: aggregateId as PaymentRequestId,
    organizationId,
    accountId,
    expectedAmount: BigInt(data.expectedAmount),
    receivedAmount: BigInt(data.receivedAmount),
    from: checksummed(data.from),
    to: checksummed(data.to),
  };
}
