import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils';
import type { PaymentCollectionOptions } from './options.js';
import { faultsOfOptions } from './options.js';
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

  initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return withMedusaErrors(() => this.payments.initiate(input));
  }
  updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return withMedusaErrors(() => this.payments.update(input));
  }
  authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return withMedusaErrors(async () => {
      const { data, status } = await this.payments.authorize(input);
      return { data, status };
    });
  }
  capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return withMedusaErrors(() => this.payments.capture(input));
  }
  refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return withMedusaErrors(() => this.payments.refund(input));
  }
  cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return withMedusaErrors(() => this.payments.cancel(input));
  }
  deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return withMedusaErrors(() => this.payments.close(input));
  }
  getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return withMedusaErrors(() => this.payments.status(input));
  }
  retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return withMedusaErrors(() => this.payments.status(input));
  }
  getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    return withMedusaErrors(() => this.payments.webhook(payload));
  }
}
