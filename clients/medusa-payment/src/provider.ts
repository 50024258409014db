import type * as Medusa from '@medusajs/framework/types';
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils';
import { faultsOfOptions, type PaymentCollectionOptions } from './options.js';
import { withMedusaErrors } from './medusa-errors.js';
import { SessionPayments } from './session-payments.js';

/** Adapter to Medusa's provider interface. `SessionPayments` contains the logic. */
export class PaymentCollectionProvider extends AbstractPaymentProvider<PaymentCollectionOptions> {
  static override identifier = 'payment-collection';
  private readonly payments: SessionPayments;

  static override validateOptions(options: Record<string, unknown>): void {
    const faults = faultsOfOptions(options);
    if (faults.length === 0) return;
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `The options of payment-collection-medusa are invalid: ${faults.join(' ')}`,
    );
  }

  constructor(cradle: Record<string, unknown>, options: PaymentCollectionOptions) {
    super(cradle, options);
    this.payments = new SessionPayments(options);
  }

  initiatePayment(input: Medusa.InitiatePaymentInput): Promise<Medusa.InitiatePaymentOutput> {
    return withMedusaErrors(() => this.payments.initiate(input));
  }
  updatePayment(input: Medusa.UpdatePaymentInput): Promise<Medusa.UpdatePaymentOutput> {
    return withMedusaErrors(() => this.payments.update(input));
  }
  authorizePayment(input: Medusa.AuthorizePaymentInput): Promise<Medusa.AuthorizePaymentOutput> {
    return withMedusaErrors(async () => {
      const { data, status } = await this.payments.authorize(input);
      return { data, status };
    });
  }
  capturePayment(input: Medusa.CapturePaymentInput): Promise<Medusa.CapturePaymentOutput> {
    return withMedusaErrors(() => this.payments.capture(input));
  }
  refundPayment(input: Medusa.RefundPaymentInput): Promise<Medusa.RefundPaymentOutput> {
    return withMedusaErrors(() => this.payments.refund(input));
  }
  cancelPayment(input: Medusa.CancelPaymentInput): Promise<Medusa.CancelPaymentOutput> {
    return withMedusaErrors(() => this.payments.cancel(input));
  }
  deletePayment(input: Medusa.DeletePaymentInput): Promise<Medusa.DeletePaymentOutput> {
    return withMedusaErrors(() => this.payments.close(input));
  }
  getPaymentStatus(input: Medusa.GetPaymentStatusInput): Promise<Medusa.GetPaymentStatusOutput> {
    return withMedusaErrors(() => this.payments.status(input));
  }
  retrievePayment(input: Medusa.RetrievePaymentInput): Promise<Medusa.RetrievePaymentOutput> {
    return withMedusaErrors(() => this.payments.status(input));
  }
  getWebhookActionAndData(
    payload: Medusa.ProviderWebhookPayload['payload'],
  ): Promise<Medusa.WebhookActionResult> {
    return withMedusaErrors(() => this.payments.webhook(payload));
  }
}
