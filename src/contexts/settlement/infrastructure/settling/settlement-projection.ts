import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { UpdateSettlements } from '../../application/settling/update-settlements.js';
import type {
  PaymentRequestConfirmed,
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
} from '#contexts/payments/contract/payment-request-events.js';
import type { PayoutEvent } from '#contexts/chain-watching/contract/payout-events.js';
import type { FundsFact } from '../../domain/settling/payout-facts.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { SETTLEMENT_LOG_EVENTS } from '../log-events.js';

export const SETTLEMENT_PROJECTION = 'settlement_projection';

type BookingEvent = PaymentRequestConfirmed | PaymentRequestDepositReceived | PaymentRequestCreditReversed;
export type FundsEvent = BookingEvent | PayoutEvent;

export const FUNDS_EVENTS: readonly FundsEvent['type'][] = [
  'payment_request.confirmed',
  'payment_request.deposit_received',
  'payment_request.credit_reversed',
  'payouts.seen',
  'payouts.final',
  'payouts.removed',
];

/** Null for funds that the merchant's wallet received directly, because they need no settlement. */
export function toFundsFact(event: PublishedEvent<FundsEvent>): FundsFact | null {
  if ('delivered' in event.data) return null;
  switch (event.type) {
    case 'payment_request.confirmed':
      return bookedFact(event, BigInt(event.data.receivedAmount));
    case 'payment_request.deposit_received':
      return bookedFact(event, BigInt(event.data.amount));
    case 'payment_request.credit_reversed':
      return bookedFact(event, BigInt(event.data.after) - BigInt(event.data.before));
    case 'payouts.seen': {
      const { aggregateId: id, organizationId, accountId, data } = event;
      const { network, transactionHash, from } = data;
      const payouts = data.payouts.map(({ toSettlement, toFee, ...payout }) => ({
        ...payout,
        toSettlement: BigInt(toSettlement),
        toFee: BigInt(toFee),
      }));
      const seen = { id, organizationId, accountId, network, transactionHash, from, payouts };
      return { kind: 'paid_out', payouts: seen };
    }
    case 'payouts.final':
      return { kind: 'final', payoutsId: event.aggregateId };
    case 'payouts.removed':
      return { kind: 'removed', payoutsId: event.aggregateId };
  }
}

function bookedFact(
  { aggregateId: paymentRequestId, organizationId, accountId, data }: PublishedEvent<BookingEvent>,
  change: bigint,
): FundsFact {
  const { network, uniqueAssetId, currency, decimals, to: address } = data;
  const asset = { network, address, uniqueAssetId, currency, decimals };
  return { kind: 'booked', change: { ...asset, paymentRequestId, organizationId, accountId, change } };
}

@Injectable()
export class SettlementProjection extends EventSubscriber {
  override readonly name = SETTLEMENT_PROJECTION;
  override readonly eventTypes: readonly string[] = FUNDS_EVENTS;
  private readonly log = new OperatorLogWriter('settlement', SETTLEMENT_LOG_EVENTS);

  constructor(private readonly updateSettlements: UpdateSettlements) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    const facts = (events as readonly PublishedEvent<FundsEvent>[]).map(toFundsFact);
    const waiting = facts.filter((fact) => fact !== null);
    for (const { facts: settlement } of await this.updateSettlements.update(waiting)) {
      const { id, network, transactionHash } = settlement;
      const line = { settlement_id: id, network, transaction_hash: transactionHash };
      this.log.write('settlement.reversed', line);
    }
  }
}
