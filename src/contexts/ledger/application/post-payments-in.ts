import { Injectable } from '@nestjs/common';
import { newId, type PaymentRequestId } from '../../../shared/kernel/ids.js';
import { Journal } from '../domain/journal.js';
import { paymentIn, type ConfirmedPayment } from '../domain/payment-in.js';

/** The ledger step: one `payment_in` for each confirmed payment, once, however often it is told. */
@Injectable()
export class PostPaymentsIn {
  constructor(private readonly journal: Journal) {}

  /** Joins the caller's unit of work. Payments are numbered in the given order. */
  async execute(payments: readonly ConfirmedPayment[]): Promise<void> {
    const posted = new Set<PaymentRequestId>(
      await this.journal.postedAmong(payments.map((payment) => payment.paymentRequestId)),
    );
    const fresh = payments.filter(({ paymentRequestId }) => {
      if (posted.has(paymentRequestId)) return false;
      posted.add(paymentRequestId);
      return true;
    });
    await this.journal.write(fresh.map((payment) => paymentIn(newId(), payment)));
  }
}
